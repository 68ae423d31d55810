// The floor of a stream of notices: so many small messages over a MessageChannel, and one that ends them.

export async function open({ notices, form }) {
  const { port1: near, port2: far } = new MessageChannel();
  const wrap = form === "text" ? JSON.stringify : (value) => value;
  const unwrap = form === "text" ? JSON.parse : (value) => value;
  let heard;
  let done;
  far.onmessage = () => {
    for (let progress = 1; progress <= notices; progress++) far.postMessage(wrap({ progress }));
    far.postMessage(wrap({}));
  };
  near.onmessage = ({ data }) => {
    const { progress } = unwrap(data);
    if (progress === undefined) done(heard);
    else heard.push(progress);
  };
  return {
    call: () => new Promise((resolve) => ((heard = []), (done = resolve), near.postMessage("go"))),
    check: (all) => {
      if (all.length !== notices || all.some((value, index) => value !== index + 1)) throw new Error("notices are missing");
    },
    close: () => near.close(),
  };
}

// The front of house: puts the views of the shop together. Whatever a button does, it does by calling a tool.

import { byId, h, setText } from "./dom.js";
import { mountBasket } from "./basket_view.js";
import { mountSeatMap } from "./seat_map.js";
import { mountShowList } from "./show_list.js";
import { mountUsher } from "./usher_view.js";
import { CODES, SHOWS, describeShow } from "./programme.js";

const VIA = { page: "", registry: "Through the browser’s registry: ", session: "Through MCP: " };

/** `counter` says whether the box office is open, and may be opened and closed. */
export function mountShop({ office, tools, counter }) {
  const notice = byId("notice");
  const isOpen = () => counter.isOpen;

  /** Calls one of the page's own tools. Resolves with what it returned, or undefined after saying why it failed. */
  async function call(name, args, options) {
    if (!tools.has(name)) {
      say("The box office is closed. Open it with the switch at the top.", true);
      return undefined;
    }
    try {
      const result = await tools.call(name, args, options);
      if (!result.isError) return result.structuredContent;
      say(result.content.map((part) => part.text).join(" "), true);
    } catch (error) {
      if (!options?.signal?.aborted) say(error.message, true);
    }
    return undefined;
  }

  function say(text, isProblem = false) {
    notice.classList.toggle("problem", isProblem);
    setText(notice, text);
  }

  const seatMap = mountSeatMap(byId("seat-map"), { office, call, isOpen });
  const showList = mountShowList(byId("shows"), {
    office,
    onChoose(show) {
      setText(byId("seats-show"), describeShow(show));
      seatMap.display(show);
    },
  });
  const basket = mountBasket({ office, call, isOpen });
  mountUsher({
    call,
    onPick(showId, seats) {
      showList.choose(showId);
      seatMap.display(office.show(showId), seats);
    },
  });

  office.addEventListener("announce", (event) => say(VIA[event.detail.via] + event.detail.text));
  counter.addEventListener("change", () => {
    seatMap.update();
    basket.update();
    say(counter.isOpen ? "The box office is open." : "The box office is closed. Its selling tools are gone from the registry too.");
  });
  mountCounterSwitch(counter);
  byId("codes").replaceChildren(...Object.entries(CODES).map(([code, { text }]) => h("li", {}, h("code", {}, code), ` ${text}`)));
  showList.choose(SHOWS[0].id);
}

function mountCounterSwitch(counter) {
  const input = byId("open");
  input.disabled = false;
  input.checked = counter.isOpen;
  input.addEventListener("change", () => (input.checked ? counter.open() : counter.close()));
}

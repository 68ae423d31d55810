//! The inputs of the target for a client that is asked, each with what has to come of it.

use super::*;
use crate::values;

const METHODS: [Key; 4] = [Key::ToolsCall, Key::ToolsList, Key::ResourcesRead, Key::PromptsGet];
const URIS: [&str; 3] = ["a:1", "a:2", ""];

/// Whether answers to this may be kept (MCP 2026-07-28, server/utilities/caching).
fn is_cacheable(method: &str) -> bool {
    ["tools/list", "resources/read"].contains(&method)
}

impl Model {
    fn deadline(&self, timeout: f64) -> f64 {
        if timeout > 0.0 { self.now + timeout } else { f64::INFINITY }
    }

    fn request(&mut self, rng: &mut Rng) {
        let (waiter, method) = (self.settled.len(), *rng.pick(&METHODS));
        self.settled.push(0);
        let detail = match method {
            Key::ResourcesRead => Some(*rng.pick(&URIS)),
            Key::ToolsList => rng.once_in(2).then_some("next"),
            _ => None,
        };
        let name = if method == Key::ResourcesRead { Key::Uri } else { Key::Cursor };
        let params = detail.map(|detail| (name, json!(detail))).into_iter().collect();
        let timeout = Some(*rng.pick(&[0.0, 30.0])).filter(|_| rng.once_in(2));
        let manner = Manner { timeout, progress: rng.once_in(2), anew: rng.once_in(4), ..Manner::default() };
        rng.tell(|| format!("{waiter} asks {} {detail:?}, {manner:?}", method.name()));
        let request = Request { method: Word::Known(method), params, extra: None, waiter, manner };
        let number = self.client.upcoming();
        let asked = self.step(Input::Request { now: self.now, request });
        let Some(number) = number else {
            return assert_eq!(asked.settled, [(waiter, Err(Code::Closed))]);
        };
        let now = self.now;
        // What is stale makes room when somebody looks for what is fresh.
        if is_cacheable(method.name()) && !manner.anew {
            self.kept.retain(|kept| kept.until > now);
        }
        let fresh = self
            .kept
            .iter()
            .find(|kept| kept.method == method.name() && kept.detail.as_deref() == detail && !manner.anew);
        if let Some(fresh) = fresh {
            assert_eq!((asked.settled, asked.sent.len()), (vec![(waiter, Ok(fresh.answer.clone()))], 0));
            return;
        }
        assert_eq!(asked.counts(), [1, 0, 0, 0, 0, 0]);
        let frame = asked.sent[0].clone();
        assert_eq!((&frame["id"], &frame["method"]), (&json!(number), &json!(method.name())));
        let timeout = timeout.unwrap_or(self.limits.request_timeout);
        self.calls.push(Call {
            number,
            waiter,
            frame: Some(frame.clone()),
            first: frame,
            asked_at: now,
            deadline: self.deadline(timeout),
            timeout,
            rounds: 0,
            questions: vec![],
            responses: Map::new(),
            state: None,
        });
    }

    /// The next request of a call: the same with what was found out, under a new id.
    fn sent_again(&mut self, place: usize, frame: &Value) {
        let deadline = self.deadline(self.calls[place].timeout);
        let call = &mut self.calls[place];
        let (mut own, mut first) = (frame["params"].clone(), call.first["params"].clone());
        assert_eq!(own["inputResponses"].as_object(), Some(&call.responses));
        assert_eq!(own.get("requestState"), call.state.as_ref());
        if let Some(token) = own["_meta"].get_mut("progressToken") {
            assert_eq!(*token, frame["id"]);
            *token = first["_meta"]["progressToken"].clone();
        }
        for name in ["inputResponses", "requestState"] {
            own.as_object_mut().unwrap().remove(name);
            first.as_object_mut().unwrap().remove(name);
        }
        assert_eq!((own, &frame["method"]), (first, &call.first["method"]), "the same request");
        assert!(frame["id"].as_i64() > Some(call.number), "under a new id");
        (call.frame, call.deadline) = (Some(frame.clone()), deadline);
        call.rounds += 1;
    }

    fn answer(&mut self, rng: &mut Rng) {
        let open: Vec<usize> = (0..self.calls.len()).filter(|place| self.calls[*place].frame.is_some()).collect();
        let Some(at) = rng.place(&open) else { return };
        let place = open[at];
        let id = self.calls[place].frame.as_ref().expect("an open request")["id"].clone();
        match rng.below(6) {
            0..3 => self.wish(rng, place, &id),
            3 => {
                let asked =
                    self.hear(json!({ "jsonrpc": "2.0", "id": id, "error": { "code": -32_602, "message": "no" } }));
                self.ends(place, &Err(Some(Code::InvalidParams)), &asked);
            }
            _ => {
                let ttl = rng.pick(&[json!(0), json!(-5), json!(50), json!(500), json!("x"), json!(null)]).clone();
                let result = json!({ "resultType": "complete", "ttlMs": ttl, "n": self.settled.len() });
                rng.tell(|| format!("{id} is answered {result}"));
                self.keep(place, &result);
                let asked = self.hear(json!({ "jsonrpc": "2.0", "id": id, "result": result }));
                self.ends(place, &Ok(result), &asked);
            }
        }
    }

    /// Keeps what may be given again.
    fn keep(&mut self, place: usize, result: &Value) {
        let call = &self.calls[place];
        let method = call.first["method"].as_str().unwrap().to_owned();
        let ttl = result["ttlMs"].as_f64().filter(|ttl| *ttl > 0.0);
        let (Some(ttl), 0, true) = (ttl, call.rounds, is_cacheable(&method) && self.is_stateless()) else { return };
        let params = &call.first["params"];
        let detail = params["uri"].as_str().or(params["cursor"].as_str()).map(str::to_owned);
        if call.asked_at < self.changed_at {
            return;
        }
        let until = call.asked_at + ttl;
        self.kept.retain(|kept| kept.method != method || kept.detail != detail);
        self.kept.push(Kept { method, detail, answer: result.clone(), until });
        if self.kept.len() > self.limits.cached_answers {
            self.kept.remove(0);
        }
    }

    /// A request is answered with the wish for input.
    fn wish(&mut self, rng: &mut Rng, place: usize, id: &Value) {
        let mut wishes = Map::new();
        for key in 0..rng.below(4) {
            let method = rng.pick(&DECLARABLE).0.name();
            let method = if rng.once_in(16) { json!("ping") } else { json!(method) };
            wishes.insert(format!("k{key}"), json!({ "method": method, "params": { "n": key } }));
        }
        let state = rng.once_in(2).then(|| json!("sealed"));
        let mut result = json!({ "resultType": "input_required", "inputRequests": wishes });
        if let Some(state) = &state {
            result["requestState"] = state.clone();
        }
        rng.tell(|| format!("{id} is answered {result}"));
        let asked = self.hear(json!({ "jsonrpc": "2.0", "id": id, "result": result }));
        let declared = |wish: &Value| {
            DECLARABLE.iter().any(|(key, name)| wish["method"] == key.name() && self.capabilities.get(name).is_some())
        };
        let has_room = self.open() + wishes.len() <= self.limits.calls_in_flight;
        let is_sound = self.is_stateless() && has_room && wishes.values().all(declared);
        if !is_sound || self.calls[place].rounds >= self.limits.input_rounds || (wishes.is_empty() && state.is_none()) {
            assert!(asked.asked.is_empty() && asked.sent.is_empty());
            return self.ends(place, &Err(Some(Code::InvalidResponse)), &asked);
        }
        let call = &mut self.calls[place];
        (call.state, call.responses, call.frame) = (state, Map::new(), None);
        if wishes.is_empty() {
            assert_eq!(asked.counts(), [1, 0, 0, 0, 0, 0]);
            return self.sent_again(place, &asked.sent[0]);
        }
        assert_eq!(asked.counts(), [0, 0, wishes.len(), 0, 0, 0]);
        for ((key, wish), (ask, method, params)) in wishes.iter().zip(&asked.asked) {
            assert_eq!((&wish["method"], &wish["params"]), (&json!(method.name()), params));
            call.questions.push((key.clone(), *ask));
        }
    }

    /// A question is answered, or an old or unknown one is.
    fn reply(&mut self, rng: &mut Rng) {
        let ask = 1 + rng.below(self.next_ask as usize + 2) as i64;
        let refusal = modelport::core::error::Error::new(Code::InternalError, "no");
        let outcome = if rng.once_in(6) { Err(refusal) } else { Ok(json!({ "action": "accept", "n": ask })) };
        rng.tell(|| format!("question {ask} is answered {outcome:?}"));
        let asked = self.step(Input::Replied { now: self.now, ask, outcome: outcome.clone() });
        if let Some(place) = self.requests.iter().position(|(_, own)| *own == ask) {
            let (id, _) = self.requests.swap_remove(place);
            assert_eq!(asked.counts(), [1, 0, 0, 0, 0, 0]);
            assert_eq!((&asked.sent[0]["id"], asked.sent[0].get("result")), (&id, outcome.as_ref().ok()));
            return;
        }
        let place = self.calls.iter().position(|call| call.questions.iter().any(|(_, own)| *own == ask));
        let Some(place) = place else { return assert_eq!(asked.counts(), [0; 6], "nobody asked") };
        let call = &mut self.calls[place];
        let at = call.questions.iter().position(|(_, own)| *own == ask).expect("the question");
        let (key, _) = call.questions.remove(at);
        let Ok(answer) = outcome else { return self.ends(place, &Err(Some(Code::InternalError)), &asked) };
        call.responses.insert(key, answer);
        if call.questions.is_empty() {
            assert_eq!(asked.counts(), [1, 0, 0, 0, 0, 0]);
            return self.sent_again(place, &asked.sent[0]);
        }
        assert_eq!(asked.counts(), [0; 6]);
    }

    /// The server asks by a request, or takes one back.
    fn asks(&mut self, rng: &mut Rng) {
        let id = if rng.once_in(2) { json!(rng.below(4)) } else { json!(rng.below(4).to_string()) };
        if rng.once_in(3) {
            rng.tell(|| format!("the server takes {id} back"));
            let asked = self
                .hear(json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id } }));
            let (mut gone, mut unasked) = (vec![], asked.unasked.clone());
            self.requests.retain(|(own, ask)| {
                *own != id || {
                    gone.push(*ask);
                    false
                }
            });
            gone.sort_unstable();
            unasked.sort_unstable();
            assert_eq!((unasked, asked.notices), (gone, usize::from(!self.is_closed)));
            return;
        }
        let method = *rng.pick(&["elicitation/create", "sampling/createMessage", "roots/list", "ping", "what"]);
        rng.tell(|| format!("the server asks {method} under {id}"));
        let asked = self.hear(json!({ "jsonrpc": "2.0", "id": id, "method": method }));
        let declared = DECLARABLE.iter().find(|(key, _)| key.name() == method).map(|(_, name)| *name);
        let is_declared = declared.is_some_and(|name| self.capabilities.get(name).is_some());
        let counts = asked.counts();
        if self.is_closed {
            assert_eq!(counts, [0; 6]);
        } else if self.is_stateless() {
            assert_eq!(counts, [0, 0, 0, 0, 0, 1]);
        } else if is_declared && self.open() < self.limits.calls_in_flight {
            assert_eq!(counts, [0, 0, 1, 0, 0, 0]);
            self.requests.push((id, asked.asked[0].0));
        } else {
            assert_eq!((counts, &asked.sent[0]["id"]), ([1, 0, 0, 0, 0, 0], &id));
            let code = if is_declared { Some(-32_603) } else { (method != "ping").then_some(-32_601) };
            assert_eq!(asked.sent[0]["error"]["code"].as_i64(), code);
        }
    }

    fn hears(&mut self, rng: &mut Rng) {
        let method = *rng.pick(&["tools/list_changed", "resources/list_changed", "resources/updated", "odd"]);
        let uri = *rng.pick(&URIS);
        rng.tell(|| format!("notice {method} {uri:?}"));
        let asked = self
            .hear(json!({ "jsonrpc": "2.0", "method": format!("notifications/{method}"), "params": { "uri": uri } }));
        assert_eq!(asked.counts(), [0, 0, 0, 0, usize::from(!self.is_closed), 0]);
        if method != "odd" && !self.is_closed {
            self.changed_at = self.now;
        }
        self.kept.retain(|kept| match method {
            "tools/list_changed" => kept.method != "tools/list",
            "resources/updated" => kept.method != "resources/read" || kept.detail.as_deref() != Some(uri),
            _ => true,
        });
    }

    fn progress(&mut self, rng: &mut Rng) {
        let token = json!(rng.below(self.settled.len() + 2));
        let wants = |frame: &Value| frame["params"]["_meta"].get("progressToken") == Some(&token);
        let is_due = self.calls.iter().any(|call| call.frame.as_ref().is_some_and(wants));
        let asked = self.hear(json!({ "jsonrpc": "2.0", "method": "notifications/progress",
            "params": { "progressToken": token, "progress": 1 } }));
        assert_eq!((asked.progress.len(), asked.counts()), (usize::from(is_due), [0; 6]));
    }

    /// A call is given up by its number, whatever id its request has by now.
    fn cancel(&mut self, rng: &mut Rng) {
        let number = rng.below(self.settled.len() + 3) as i64;
        rng.tell(|| format!("call {number} is given up"));
        let asked = self.step(Input::Cancel { id: Id::Number(number), reason: None });
        let Some(place) = self.calls.iter().position(|call| call.number == number) else {
            return assert_eq!(asked.counts(), [0; 6], "no call of that number");
        };
        let told: Vec<&Value> = asked.sent.iter().map(|frame| &frame["params"]["requestId"]).collect();
        assert_eq!(told, self.calls[place].frame.iter().map(|frame| &frame["id"]).collect::<Vec<_>>());
        self.ends(place, &Err(Some(Code::Cancelled)), &asked);
    }

    fn notify(&mut self, rng: &mut Rng) {
        let params = rng.once_in(2).then(|| json!({ "n": 1 }));
        let asked =
            self.step(Input::Notify { method: Word::Other(json!("notifications/own")), params: params.clone() });
        assert_eq!(asked.counts(), [usize::from(!self.is_closed), 0, 0, 0, 0, 0]);
        assert!(asked.sent.iter().all(|frame| frame.get("params") == params.as_ref() && frame.get("id").is_none()));
    }

    fn unsendable(&mut self, rng: &mut Rng) {
        let Some(place) = rng.place(&self.calls) else { return };
        let Some(frame) = self.calls[place].frame.clone() else { return };
        rng.tell(|| format!("unsendable: {frame}"));
        let asked = self.step(Input::Unsendable { now: self.now, frame, reason: "no".into(), data: None });
        self.ends(place, &Err(Some(Code::SendFailed)), &asked);
    }

    fn pass(&mut self, rng: &mut Rng) {
        self.now += *rng.pick(&[0.0, 1.0, 20.0, 60.0]);
        rng.tell(|| format!("it is {}", self.now));
        self.wake = None;
        let asked = self.step(Input::Elapsed { now: self.now });
        let now = self.now;
        let is_late = |call: &Call| call.frame.is_some() && call.deadline <= now;
        let late: Vec<usize> = self.calls.iter().filter(|call| is_late(call)).map(|call| call.waiter).collect();
        self.calls.retain(|call| !is_late(call));
        assert_eq!(asked.counts(), [late.len(), late.len(), 0, 0, 0, 0], "a call that asks its user has no deadline");
        assert!(asked.settled.iter().all(|(waiter, end)| late.contains(waiter) && *end == Err(Code::Timeout)));
    }

    fn close(&mut self) {
        let asked = self.step(Input::Close);
        assert_eq!(asked.counts(), [0, self.calls.len(), 0, self.open(), 0, 0]);
        assert!(asked.settled.iter().all(|(_, outcome)| *outcome == Err(Code::Closed)));
        self.calls.clear();
        self.requests.clear();
        self.is_closed = true;
    }
}

pub fn case(rng: &mut Rng) -> u64 {
    let mut model = Model::new(rng);
    let steps = 1 + rng.below(120);
    for _ in 0..steps {
        match rng.below(40) {
            0..8 => model.request(rng),
            8..18 => model.answer(rng),
            18..26 => model.reply(rng),
            26..29 => model.asks(rng),
            29..31 => model.hears(rng),
            31 | 32 => model.cancel(rng),
            33 => model.notify(rng),
            34 => model.progress(rng),
            35 => model.unsendable(rng),
            36 if rng.once_in(16) => model.close(),
            37 => {
                let value =
                    json!({ "jsonrpc": "2.0", "id": format!("x{}", rng.below(9)), "result": values::any(rng, 2) });
                assert_eq!(model.hear(value).counts(), [0; 6], "an answer to nobody");
            }
            _ => model.pass(rng),
        }
        model.check();
    }
    if !model.is_closed {
        model.close();
    }
    model.check();
    assert!(model.settled.iter().all(|times| *times == 1), "everybody is settled once: {:?}", model.settled);
    steps as u64
}

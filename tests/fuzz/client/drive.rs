//! The inputs of the client's target, each with what has to come of it.

use super::*;

impl Model {
    fn connect(&mut self) {
        let is_free = self.opening.is_none() && self.ready.is_none() && !self.is_closed;
        let asked = self.step(Input::Connect { now: self.now, is_old: false });
        if is_free {
            return self.opens(&asked);
        }
        let code = if self.is_closed { Code::Closed } else { Code::InvalidArgument };
        assert_eq!((asked.sent.len(), asked.connected), (0, vec![Err(code)]));
    }

    fn request(&mut self, rng: &mut Rng) {
        let waiter = self.settled.len();
        self.settled.push(0);
        let limit = Some(*rng.pick(&[0.0, 10.0, 100.0, 1e-9, -1.0, 1e300, f64::NAN, f64::INFINITY]));
        let timeout = limit.filter(|_| rng.once_in(2));
        let progress = rng.once_in(2);
        let method = if rng.once_in(2) { Word::Known(Key::ToolsCall) } else { Word::Other(json!("custom")) };
        let params = if rng.once_in(2) { vec![(Key::Name, json!("echo"))] } else { vec![] };
        let extra = if rng.once_in(3) { Some(values::any(rng, 2)) } else { None };
        let extra = extra.or_else(|| rng.once_in(4).then(|| json!({ "_meta": values::meta(rng), "a": null })));
        let name = method.text();
        let id = self.client.upcoming().map(Id::Number);
        rng.tell(|| format!("request {id:?} of {waiter}: timeout {timeout:?}, progress {progress}, {extra:?}"));
        let manner = Manner { timeout, progress, ..Manner::default() };
        let request = Request { method, params, extra, waiter, manner };
        let asked = self.step(Input::Request { now: self.now, request });
        let (Some(id), Some(revision)) = (id.clone(), self.ready) else {
            let code = if self.is_closed { Code::Closed } else { Code::NotConnected };
            assert_eq!((id, asked.sent.len(), asked.settled), (None, 0, vec![(waiter, Err(code))]));
            return;
        };
        assert_eq!((asked.sent.len(), asked.settled.len()), (1, 0));
        let (frame, meta) = (&asked.sent[0], &asked.sent[0]["params"]["_meta"]);
        assert_eq!(reading::read(frame), Reading::Request(id.clone(), name), "{frame}");
        if revision.era() == Era::Stateless {
            assert_eq!(meta["io.modelcontextprotocol/protocolVersion"], "2026-07-28", "{frame}");
            assert!(meta["io.modelcontextprotocol/clientCapabilities"].is_object(), "{frame}");
        }
        if progress {
            assert_eq!(reading::id(&meta["progressToken"]).as_ref(), Some(&id), "{frame}");
        }
        assert!(self.waiting.iter().all(|call| call.id != id) && !self.ended.contains(&id), "ids are used once");
        let deadline = self.deadline(timeout.unwrap_or(self.limits.request_timeout));
        self.waiting.push(Waiting { id, waiter, deadline, progress });
    }

    /// An id that means something to the client, meant something, or looks as if it did.
    fn familiar(&self, rng: &mut Rng) -> Id {
        let opening = self.opening.iter().map(|(id, _)| id);
        let known: Vec<&Id> = self.waiting.iter().map(|call| &call.id).chain(opening).collect();
        match rng.below(8) {
            0 if !self.ended.is_empty() => rng.pick(&self.ended).clone(),
            1 => Id::from(rng.below(5) as u32),
            2 => Id::from(rng.below(5).to_string().as_str()),
            _ if known.is_empty() => Id::from("discover"),
            _ => (*rng.pick(&known)).clone(),
        }
    }

    fn cancel(&mut self, rng: &mut Rng) {
        let id = self.familiar(rng);
        rng.tell(|| format!("cancel {id:?}"));
        let reason = rng.once_in(2).then(|| "enough".to_owned());
        let asked = self.step(Input::Cancel { id: id.clone(), reason });
        let is_told = self.waiting.iter().any(|call| call.id == id);
        assert_eq!(asked.sent.len(), usize::from(is_told));
        assert!(asked.sent.iter().all(|frame| frame["method"] == "notifications/cancelled"));
        assert!(asked.sent.iter().all(|frame| reading::id(&frame["params"]["requestId"]).as_ref() == Some(&id)));
        assert!(asked.connected.is_empty(), "only close() gives up connecting");
        if is_told {
            self.ends(&id, Err(Some(Code::Cancelled)), &asked);
        }
    }

    /// Something the peer may say to a request of ours.
    fn answer(&self, rng: &mut Rng) -> Value {
        let id: Value = self.familiar(rng).to_json();
        let version = *rng.pick(&["2024-11-05", "2025-11-25", "2026-07-28", "1999-01-01"]);
        let mut frame = match rng.below(8) {
            0 => json!({ "jsonrpc": "2.0", "id": id, "error": { "code": -32_601, "message": "no" } }),
            1 => json!({ "jsonrpc": "2.0", "id": id, "result": values::any(rng, 2) }),
            2 => {
                json!({ "jsonrpc": "2.0", "method": "notifications/progress", "params": { "progressToken": id, "progress": 1 } })
            }
            3 => json!({ "jsonrpc": "2.0", "id": id, "result": { "resultType": values::any(rng, 1) } }),
            4 | 5 => json!({ "jsonrpc": "2.0", "id": id, "result": { "protocolVersion": version } }),
            _ => {
                json!({ "jsonrpc": "2.0", "id": id, "result": { "supportedVersions": [version], "protocolVersion": version } })
            }
        };
        if rng.once_in(8) {
            values::mutate(rng, &mut frame);
        }
        frame
    }

    fn frame(&mut self, rng: &mut Rng) {
        let value = if rng.once_in(4) { values::frame(rng) } else { self.answer(rng) };
        rng.tell(|| format!("frame: {value}"));
        let asked = self.step(Input::Frame { now: self.now, frame: Frame::look(value.clone()) });
        if self.is_closed {
            return assert!(asked.is_quiet() && asked.faults + asked.notices == 0);
        }
        let is_stateless = self.ready.is_some_and(|revision| revision.era() == Era::Stateless);
        match reading::read(&value) {
            Reading::Response(id, _) if self.is_opening(&id) => self.opened(&asked),
            Reading::Response(id, is_result) => {
                let result = &value["result"];
                let kind = &result["resultType"];
                let is_usable = is_result && result.is_object() && (kind.is_null() || kind == "complete");
                self.ends(&id, if is_usable { Ok(result) } else { Err(None) }, &asked);
            }
            Reading::Request(..) if is_stateless => assert!(asked.is_quiet() && asked.faults == 1, "{value}"),
            Reading::Request(id, method) => {
                assert_eq!((asked.sent.len(), asked.settled.len()), (1, 0), "{value}");
                assert_eq!(reading::read(&asked.sent[0]), Reading::Response(id, method == "ping"), "{value}");
            }
            Reading::Notification(method) if method == "notifications/progress" => {
                let token = reading::id(&value["params"]["progressToken"]);
                let call = self.waiting.iter().find(|call| call.progress && token.as_ref() == Some(&call.id));
                assert_eq!(asked.progress, call.map(|call| call.id.clone()).into_iter().collect::<Vec<_>>(), "{value}");
                assert_eq!((asked.sent.len(), asked.settled.len(), asked.notices), (0, 0, 0), "{value}");
            }
            Reading::Notification(_) => assert!(asked.is_quiet() && asked.notices == 1, "{value}"),
            Reading::Foreign => assert!(asked.is_quiet() && asked.faults == 0, "{value}"),
            Reading::BadRequest(_) | Reading::BadResponse => assert!(asked.is_quiet() && asked.faults == 1, "{value}"),
        }
    }

    fn unsendable(&mut self, rng: &mut Rng) {
        let frame = match rng.place(&self.sent) {
            Some(at) if !rng.once_in(16) => self.sent.swap_remove(at),
            _ => values::frame(rng),
        };
        rng.tell(|| format!("unsendable: {frame}"));
        let asked =
            self.step(Input::Unsendable { now: self.now, frame: frame.clone(), reason: "no".into(), data: None });
        let id = frame.get("id").and_then(reading::id).filter(|_| frame.get("method").is_some());
        match id {
            Some(id) if self.is_opening(&id) => self.opened(&asked),
            Some(id) => self.ends(&id, Err(Some(Code::SendFailed)), &asked),
            None => assert!(asked.is_quiet() && asked.faults == 1),
        }
    }

    /// Time passes, and the timer rings: just when it was asked to, too early, or late.
    fn pass(&mut self, rng: &mut Rng) {
        let wait = *rng.pick(&[0.0, 1.0, 9.5, 30.0, 70_000.0]);
        match (self.wake, rng.below(4)) {
            (Some(wake), 0 | 1) => self.now = self.now.max(wake),
            (Some(wake), 2) => self.now = self.now.max(wake - 0.5),
            _ => self.now += wait,
        }
        if rng.once_in(4) {
            return;
        }
        rng.tell(|| format!("it is {}", self.now));
        self.wake = None;
        let asked = self.step(Input::Elapsed { now: self.now });
        assert!(self.wake.is_none_or(|wake| wake > self.now), "it would ring for ever");
        if self.opening.as_ref().is_some_and(|(_, deadline)| *deadline <= self.now) {
            return self.opened(&asked);
        }
        let (late, waiting) = std::mem::take(&mut self.waiting).into_iter().partition(|call| call.deadline <= self.now);
        (self.waiting, _) = (waiting, &late);
        let late: Vec<Waiting> = late;
        assert_eq!((asked.settled.len(), asked.sent.len(), asked.connected.len()), (late.len(), late.len(), 0));
        for call in late {
            assert!(asked.settled.contains(&(call.waiter, Err(Code::Timeout))));
            let is_told = |frame: &Value| reading::id(&frame["params"]["requestId"]).as_ref() == Some(&call.id);
            assert_eq!(asked.sent.iter().filter(|frame| is_told(frame)).count(), 1);
            self.ended.push(call.id);
        }
    }

    fn close(&mut self) {
        let asked = self.step(Input::Close);
        assert_eq!((asked.sent.len(), asked.settled.len()), (0, self.waiting.len()));
        assert!(asked.settled.iter().all(|(_, outcome)| *outcome == Err(Code::Closed)));
        let failed = self.opening.iter().map(|_| Err(Code::Closed)).collect::<Vec<_>>();
        assert_eq!(asked.connected, failed);
        (self.opening, self.ready, self.is_closed) = (None, None, true);
        self.ended.extend(self.waiting.drain(..).map(|call| call.id));
    }
}

pub fn case(rng: &mut Rng) -> u64 {
    let mut model = Model::new(rng);
    let steps = 1 + rng.below(80);
    let end = if rng.once_in(4) { rng.below(steps) } else { steps };
    for step in 0..steps {
        match rng.below(20) {
            _ if step == end => model.close(),
            0 => model.connect(),
            _ if step == 0 => model.connect(),
            1..6 => model.request(rng),
            6 | 7 => model.cancel(rng),
            8..15 => model.frame(rng),
            15 => {
                let asked = model.step(Input::Garbled);
                assert!(asked.is_quiet() && asked.faults == 1);
            }
            16 => model.unsendable(rng),
            _ => model.pass(rng),
        }
        model.check();
    }
    model.close();
    model.check();
    assert!(model.settled.iter().all(|times| *times == 1), "everybody is settled once: {:?}", model.settled);
    steps as u64
}

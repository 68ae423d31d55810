// Nothing but a script that runs: what any page pays.

toolIsThere();
answered("pong");

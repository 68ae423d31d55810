//! A seat picker in Yew. The tool that books belongs to the checkout, which is there while seats are picked.

mod checkout;
mod hall;
mod seats;
mod use_tool;

use checkout::Checkout;
use hall::Hall;
use seats::Seats;
use use_tool::use_published;
use yew::prelude::*;

fn main() {
    yew::Renderer::<App>::new().render();
}

#[component]
fn App() -> Html {
    let redraw = use_force_update();
    let hall = use_memo((), |()| Hall::new(move || redraw.force_update()));
    let (tools, has_agents) = use_published();
    html! {
        <ContextProvider<modelport::ToolManager> context={tools}>
            <main>
                <h1>{ "Seat picker" }</h1>
                <p>{ "Yew. An agent may find, pick and release seats, and book while some are picked." }</p>
                <Seats hall={hall.clone()} version={hall.version()} />
                if !hall.picked().is_empty() {
                    <Checkout hall={hall.clone()} version={hall.version()} />
                }
                <p class="notice" role="status">{ hall.notice() }</p>
                if !has_agents {
                    <p class="agents">{ "This browser has no document.modelContext, so no agent can come." }</p>
                }
            </main>
        </ContextProvider<modelport::ToolManager>>
    }
}

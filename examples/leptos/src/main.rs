//! A shopping list in Leptos. Its tools belong to its components: one that is unmounted takes its own along.

mod budget;
mod list;
mod use_tool;

use budget::Budget;
use leptos::prelude::*;
use list::{Item, ShoppingList};

fn main() {
    leptos::mount::mount_to_body(App);
}

#[component]
fn App() -> impl IntoView {
    let has_agents = use_tool::provide_tools();
    let items = RwSignal::new(Vec::<Item>::new());
    let budgeting = RwSignal::new(false);
    view! {
        <main>
            <h1>"Shopping list"</h1>
            <p>"Leptos. An agent may add, list and tick off items, and mind the budget while that is open."</p>
            <ShoppingList items />
            <label class="switch">
                <input type="checkbox" bind:checked=budgeting />
                "Keep to a budget"
            </label>
            <Show when=move || budgeting.get()>
                <Budget items />
            </Show>
            <Show when=move || !has_agents>
                <p class="agents">"This browser has no document.modelContext, so no agent can come."</p>
            </Show>
        </main>
    }
}

//! The items, what people do with them, and the tools that do the same.

use crate::use_tool::use_tool;
use leptos::ev::SubmitEvent;
use leptos::prelude::*;
use modelport::{NoArguments, Tool};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Item {
    pub name: String,
    pub quantity: u32,
    /// Of each.
    pub price: f64,
    pub done: bool,
}

#[derive(Deserialize, JsonSchema)]
struct NewItem {
    /// Such as "oat milk".
    name: String,
    #[serde(default = "one")]
    #[schemars(range(min = 1, max = 99))]
    quantity: u32,
    /// What one of them costs, if it is known.
    #[serde(default)]
    price: f64,
}

fn one() -> u32 {
    1
}

#[derive(Deserialize, JsonSchema)]
struct NewItems {
    items: Vec<NewItem>,
}

#[derive(Deserialize, JsonSchema)]
struct Which {
    name: String,
}

#[derive(Serialize, JsonSchema)]
struct Listed {
    items: Vec<Item>,
}

/// Adds an item, or more of one that is there.
fn add(items: &mut Vec<Item>, NewItem { name, quantity, price }: NewItem) {
    let name = name.trim().to_owned();
    match items.iter_mut().find(|item| item.name == name) {
        Some(item) => {
            item.quantity += quantity;
            item.done = false;
        }
        None => items.push(Item { name, quantity, price, done: false }),
    }
}

fn offer_tools(items: RwSignal<Vec<Item>>) {
    use_tool(Tool::new("add_items").description("Puts items on the shopping list").typed(
        async move |new: NewItems, _| {
            if let Some(place) = new.items.iter().position(|item| item.name.trim().is_empty()) {
                return Err(format!("item {place} has no name").into());
            }
            let count = new.items.len();
            items.update(|items| new.items.into_iter().for_each(|item| add(items, item)));
            Ok(format!("{count} added; {} on the list.", items.with_untracked(Vec::len)))
        },
    ));
    use_tool(
        Tool::new("list_items")
            .description("What is on the shopping list")
            .output::<Listed>()
            .handler(async move |_: NoArguments, _| Ok(Listed { items: items.get_untracked() })),
    );
    use_tool(Tool::new("tick_off").description("Ticks an item off, as bought").typed(
        async move |Which { name }, _| {
            let found =
                items.try_update(|items| items.iter_mut().find(|item| item.name == name).map(|item| item.done = true));
            found.flatten().ok_or_else(|| format!("\"{name}\" is not on the list"))?;
            Ok(())
        },
    ));
}

#[component]
pub fn ShoppingList(items: RwSignal<Vec<Item>>) -> impl IntoView {
    offer_tools(items);
    let (name, quantity, price) =
        (RwSignal::new(String::new()), RwSignal::new("1".to_owned()), RwSignal::new(String::new()));
    let on_submit = move |event: SubmitEvent| {
        event.prevent_default();
        let quantity = quantity.get_untracked().parse().unwrap_or(1);
        let price = price.get_untracked().parse().unwrap_or(0.0);
        items.update(|items| add(items, NewItem { name: name.get_untracked(), quantity, price }));
        name.set(String::new());
    };
    view! {
        <form on:submit=on_submit>
            <label class="wide">
                "Item" <input type="text" required maxlength="60" autocomplete="off" bind:value=name />
            </label>
            <label>"How many" <input type="number" required min="1" max="99" bind:value=quantity /></label>
            <label>"Price of each" <input type="number" min="0" step="0.01" bind:value=price /></label>
            <button>"Add"</button>
        </form>
        <ul class="list" aria-label="Items">
            <For each=move || items.get() key=|item| item.name.clone() let(item)>
                <Row items name=item.name />
            </For>
        </ul>
        <p role="status">
            {move || {
                let open = items.with(|items| items.iter().filter(|item| !item.done).count());
                if open == 0 { "Nothing to buy.".to_owned() } else { format!("{open} to buy.") }
            }}
        </p>
    }
}

#[component]
fn Row(items: RwSignal<Vec<Item>>, name: String) -> impl IntoView {
    let called = name.clone();
    let item = Memo::new(move |_| items.with(|items| items.iter().find(|item| item.name == called).cloned()));
    let is_done = move || item.get().is_some_and(|item| item.done);
    let ticked = name.clone();
    let tick = move |_| {
        items.update(|items| {
            items.iter_mut().filter(|item| item.name == ticked).for_each(|item| item.done = !item.done)
        });
    };
    view! {
        <li data-done=move || is_done().to_string()>
            <input type="checkbox" aria-label=format!("{name} bought") prop:checked=is_done on:change=tick />
            <span class="name">{name}</span>
            <span class="time">{move || item.get().map(|item| format!("× {}", item.quantity))}</span>
        </li>
    }
}

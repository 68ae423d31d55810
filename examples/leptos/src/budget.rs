//! A budget: while it is open, agents can set it.

use crate::list::Item;
use crate::use_tool::use_tool;
use leptos::prelude::*;
use modelport::Tool;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Deserialize, JsonSchema)]
struct SetBudget {
    #[schemars(range(min = 0))]
    amount: f64,
}

#[derive(Serialize, JsonSchema)]
struct Standing {
    total: f64,
    /// Negative if the list costs more.
    left: f64,
}

#[component]
pub fn Budget(items: RwSignal<Vec<Item>>) -> impl IntoView {
    let budget = RwSignal::new(50.0);
    let total = Memo::new(move |_| {
        items.with(|items| items.iter().map(|item| item.price * f64::from(item.quantity)).sum::<f64>())
    });
    use_tool(
        Tool::new("set_budget")
            .description("Sets what the shopping may cost, and says what is left of it")
            .output::<Standing>()
            .typed(async move |SetBudget { amount }, _| {
                budget.set(amount);
                let total = total.get_untracked();
                Ok(Standing { total, left: amount - total })
            })
            .checked(),
    );
    view! {
        <h2>"Budget"</h2>
        <p class="sum" data-testid="budget">
            {move || format!("{:.2} of {:.2}", total.get(), budget.get())}
            {move || (total.get() > budget.get()).then_some(": too much")}
        </p>
    }
}

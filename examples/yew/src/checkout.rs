//! Booking what is picked: the component and its tool are there as long as something is.

use crate::hall::Hall;
use crate::use_tool::use_tool;
use modelport::Tool;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::rc::Rc;
use web_sys::{FormData, HtmlFormElement};
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub struct CheckoutProps {
    pub hall: Rc<Hall>,
    /// Of the hall, which is always the same one.
    pub version: u32,
}

#[derive(Deserialize, JsonSchema)]
struct Book {
    /// Who will come.
    name: String,
}

#[derive(Serialize, JsonSchema)]
struct Booked {
    seats: Vec<String>,
}

#[component]
pub fn Checkout(CheckoutProps { hall, .. }: &CheckoutProps) -> Html {
    let booking = hall.clone();
    use_tool((), move || {
        Tool::new("book")
            .description("Books the seats that are picked")
            .output::<Booked>()
            .typed(async move |Book { name }, _| Ok(Booked { seats: booking.book(&name)? }))
    });
    let submitting = hall.clone();
    let onsubmit = Callback::from(move |event: SubmitEvent| {
        event.prevent_default();
        let data = event.target_dyn_into::<HtmlFormElement>().and_then(|form| FormData::new_with_form(&form).ok());
        let name = data.and_then(|data| data.get("name").as_string()).unwrap_or_default();
        // The form asks for a name before it is sent.
        drop(submitting.book(&name));
    });
    html! {
        <form {onsubmit}>
            <label class="wide">
                { format!("Name for {}", hall.picked().join(", ")) }
                <input type="text" name="name" required={true} maxlength="60" autocomplete="name" />
            </label>
            <button>{ "Book" }</button>
        </form>
    }
}

//! The map of seats, and the tools to find, pick and release them.

use crate::hall::{Hall, ROWS, SEATS};
use crate::use_tool::use_tool;
use modelport::Tool;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::rc::Rc;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub struct SeatsProps {
    pub hall: Rc<Hall>,
    /// Of the hall, which is always the same one.
    pub version: u32,
}

#[derive(Deserialize, JsonSchema)]
struct Find {
    /// How many seats beside each other.
    #[schemars(range(min = 1, max = 8))]
    count: u32,
}

#[derive(Deserialize, Serialize, JsonSchema)]
struct Chosen {
    /// Such as "B4": the row, then the number.
    seats: Vec<String>,
}

#[component]
pub fn Seats(SeatsProps { hall, .. }: &SeatsProps) -> Html {
    let finding = hall.clone();
    use_tool((), move || {
        Tool::new("find_seats").description("Free seats beside each other, near the stage").typed(
            async move |Find { count }, _| {
                let seats = finding.find(count).ok_or("There are not so many free seats beside each other.")?;
                Ok(Chosen { seats })
            },
        )
    });
    let picking = hall.clone();
    use_tool((), move || {
        Tool::new("pick_seats").description("Picks free seats, all of them or none").typed(
            async move |Chosen { seats }, _| {
                picking.pick(&seats)?;
                Ok(Chosen { seats: picking.picked() })
            },
        )
    });
    let releasing = hall.clone();
    use_tool((), move || {
        Tool::new("release_seats").description("Lets go of seats that were picked").typed(
            async move |Chosen { seats }, _| {
                releasing.release(&seats);
                Ok(Chosen { seats: releasing.picked() })
            },
        )
    });
    html! {
        <fieldset class="hall">
            <legend>{ "Dashed seats are taken." }</legend>
            <p class="stage">{ "Stage" }</p>
            { for ROWS.iter().map(|row| html! {
                <div class="row">{ for (1..=SEATS).map(|number| seat(hall, format!("{row}{number}"))) }</div>
            }) }
        </fieldset>
    }
}

fn seat(hall: &Rc<Hall>, name: String) -> Html {
    let is_picked = hall.is_picked(&name);
    let (hall, clicked) = (hall.clone(), vec![name.clone()]);
    let is_taken = hall.is_taken(&name);
    let onclick = Callback::from(move |_: MouseEvent| {
        if is_picked {
            hall.release(&clicked);
        } else {
            // One that was taken in the meantime shows itself as such.
            drop(hall.pick(&clicked));
        }
    });
    html! { <button type="button" disabled={is_taken} aria-pressed={is_picked.to_string()} {onclick}>{ name }</button> }
}

//! What the data set card says of how the set was made.

use eightk_dataset::CardText;
use eightk_mine::Recipe;
use eightk_text::split::Splitter;

/// The words of the card that come from the recipe and the pipeline; numbers come from the writer.
pub(crate) fn card_text(recipe: &Recipe, splitter: Splitter) -> CardText {
    CardText {
        name: format!("8-K {} context chunk retrieval", recipe.name()),
        summary: recipe.description().to_owned(),
        source: "Current reports on Form 8-K and 8-K/A as filed with the U.S. Securities and Exchange Commission (EDGAR).".into(),
        facts: recipe.facts().iter().map(|f| (f.name.clone(), f.description.clone())).collect(),
        steps: vec![
            "Cleaned: visible text only; cover page, signatures and attached documents cut away, hidden inline XBRL removed.".into(),
            "Items found by their headings; offsets run over the whole narrative, headings included.".into(),
            format!("Split into sentences inside paragraphs, never across Items (splitter `{splitter}`)."),
            "Filtered: headings, fragments, list labels, table rows, exhibit lists, forward-looking passages, boilerplate, \
             sentences under 40 characters and repeats within a filing are dropped, each with its reason in `audit/dropped.jsonl`."
                .into(),
            format!(
                "Mined with the recipe `{}`: sentences that state a fact and refer to the filer only by a coreferent (the Company, \
                 we, our …) are answers; the sentence that binds the company's name to it is evidence.",
                recipe.name()
            ),
            "Queries name the company by its short name; a company or name that does not point to one filing gives no query \
             (`audit/left-out.jsonl`)."
                .into(),
            "Rivals of an answer are the kept sentences of other companies that state the same fact (`audit/rivals.jsonl`).".into(),
        ],
        limits: vec![
            "Facts are found by patterns, not by people: read the examples beside the recipe for what is meant.".into(),
        ],
    }
}

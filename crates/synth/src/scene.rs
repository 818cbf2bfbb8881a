//! What one filing says, before it is laid out.

use crate::companies::Company;
use crate::corpus::{EvidenceKind, Planted, PlantedEvidence};
use crate::facts::{CHARGES, NEAR_MISSES, WORKFORCE, stands_first};
use crate::prose;
use crate::rng::Rng;
use crate::voice::{MONTHS, PLANS, Voice, capitalised, fill};

/// A stretch of an Item.
#[derive(Debug, Clone)]
pub(crate) enum Block {
    /// Sentences of one paragraph.
    Prose(Vec<String>),
    /// A heading inside an Item.
    Heading(&'static str),
    /// Rows of a table with three cells.
    Table(Vec<[String; 3]>),
}

/// One Item.
#[derive(Debug, Clone)]
pub(crate) struct Item {
    /// `2.05`, or `5` in the numbering before August 2004.
    pub(crate) number: &'static str,
    pub(crate) title: &'static str,
    /// Another Item whose heading stands directly before this one and shares its text.
    pub(crate) stacked: Option<(&'static str, &'static str)>,
    pub(crate) blocks: Vec<Block>,
}

/// A day.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Day {
    pub(crate) year: usize,
    pub(crate) month: usize,
    pub(crate) day: usize,
}

impl Day {
    pub(crate) fn iso(self) -> String {
        format!("{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }

    pub(crate) fn compact(self) -> String {
        format!("{:04}{:02}{:02}", self.year, self.month, self.day)
    }

    pub(crate) fn long(self) -> String {
        let month = MONTHS.get(self.month.saturating_sub(1)).copied().unwrap_or("January");
        format!("{month} {}, {}", self.day, self.year)
    }
}

/// A filing without its form.
#[derive(Debug, Clone)]
pub(crate) struct Scene {
    pub(crate) company: Company,
    pub(crate) filed: Day,
    pub(crate) reported: Day,
    pub(crate) accession: String,
    pub(crate) items: Vec<Item>,
    /// Paragraphs of the attached press release; empty where nothing is attached.
    pub(crate) exhibit: Vec<Vec<String>>,
    /// A sentence that stands in a hidden part of the document and must not be found.
    pub(crate) hidden: String,
    pub(crate) planted: Vec<Planted>,
}

/// What a filing is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Story {
    /// The filer is bound to a coreferent, and the facts are told by it.
    Bound,
    /// The facts name the filer.
    Named,
    /// The filer is named, but nothing is bound.
    Unbound,
    /// The narrative names nobody.
    Nameless,
    /// “The Company” is the target of a merger.
    Target,
    /// The facts stand in the attached press release alone.
    ExhibitOnly,
    /// Savings, past charges, negations: no fact.
    NearMisses,
    /// Nothing about a plan.
    Other,
}

fn story(rng: &mut Rng, attaches: bool) -> Story {
    match rng.below(100) {
        0..=57 => Story::Bound,
        58..=64 => Story::Named,
        65..=73 => Story::Unbound,
        74..=78 => Story::Nameless,
        79..=83 => Story::Target,
        84..=88 if attaches => Story::ExhibitOnly,
        84..=92 => Story::NearMisses,
        _ => Story::Other,
    }
}

/// What the layout asks of the content.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Frame {
    /// Whether Items have their numbers from before August 2004.
    pub(crate) old_items: bool,
    /// Whether a press release can be attached.
    pub(crate) attaches: bool,
    pub(crate) first_year: usize,
    pub(crate) last_year: usize,
}

/// Draws a filing. `family` is the stream that near-identical filings share.
pub(crate) fn draw(
    company: Company,
    other: &Company,
    number: usize,
    frame: Frame,
    family: &Rng,
    rng: &mut Rng,
) -> Scene {
    let reported = Day {
        year: rng.between(frame.first_year, frame.last_year),
        month: rng.between(1, 12),
        day: rng.between(1, 24),
    };
    let filed = Day { day: reported.day + rng.between(0, 4), ..reported };
    let story = story(rng, frame.attaches);
    let mut teller = Teller {
        company: &company,
        other,
        date: reported,
        rng: rng.clone(),
        family: family.clone(),
        planted: Vec::new(),
    };
    let blocks = teller.news(story);
    let mut items = arrange(blocks, story, frame, &mut teller);
    let exhibit = if frame.attaches { teller.press_release(story) } else { Vec::new() };
    items.push(exhibits_item(frame, !exhibit.is_empty()));
    let hidden = format!(
        "The Company expects to incur restructuring charges of approximately ${} million.",
        70_000 + rng.below(90)
    );
    let planted = std::mem::take(&mut teller.planted);
    let accession = format!("{}-{:02}-{:06}", company.cik, reported.year % 100, number % 1_000_000);
    Scene { company, filed, reported, accession, items, exhibit, hidden, planted }
}

struct Teller<'c> {
    company: &'c Company,
    other: &'c Company,
    date: Day,
    /// Choices of this filing.
    rng: Rng,
    /// Choices of its family, always from the beginning.
    family: Rng,
    planted: Vec<Planted>,
}

impl Teller<'_> {
    fn first_word(&self) -> &str {
        self.company.short.split(' ').next().unwrap_or_default()
    }

    /// Fills the slots of facts and grammar, wording as the family has it.
    fn say(&mut self, pattern: &str, voice: Voice, salt: u64) -> String {
        let mut family = self.family.clone();
        let mut family = Rng::new(family.next(), salt);
        let name = if self.rng.chance(50) { self.company.short.clone() } else { self.first_word().to_owned() };
        // One plan has one name throughout a filing.
        let plan = Rng::new(self.family.clone().next(), 3).pick(&PLANS);
        fill(&pattern.replace("{plan}", plan), voice, &name, &mut family, &mut self.rng, self.date.year)
    }

    /// Fills the slots of the frame: who, date, makes, persons.
    fn frame(&mut self, pattern: &str, who: &str) -> String {
        let date = Day { day: self.date.day.saturating_sub(self.rng.below(3)).max(1), ..self.date };
        let person = |rng: &mut Rng| format!("{} {}", rng.pick(&prose::FIRST_NAMES), rng.pick(&prose::LAST_NAMES));
        let text = pattern
            .replace("{who}", who)
            .replace("{date}", &date.long())
            .replace("{makes}", self.company.makes)
            .replace("{person}", &person(&mut self.rng))
            .replace("{person2}", &person(&mut self.rng));
        let text = self.say(&text, Voice::Company, 11);
        capitalised(&text)
    }

    /// The name with whatever stands between it and the definition.
    fn introduced(&mut self, definition: &str) -> String {
        let full = &self.company.full;
        match self.rng.below(8) {
            0 | 1 => format!("{full}, {} {definition}", self.company.form),
            2 => format!("{full} (NYSE: {}) {definition}", self.company.ticker),
            3 => format!("{full} (Nasdaq: {}) {definition}", self.company.ticker),
            _ => format!("{full} {definition}"),
        }
    }

    fn voice(&self) -> Voice {
        if self.company.partnership {
            return Voice::Partnership;
        }
        match self.family.clone().below(20) {
            0..=10 => Voice::Company,
            11..=16 => Voice::We,
            17 => Voice::Registrant,
            18 => Voice::Corporation,
            _ => Voice::Company,
        }
    }

    fn pattern(&self, list: &[&'static str], salt: usize) -> &'static str {
        let mut family = self.family.clone();
        let at = (family.below(list.len()) + salt) % list.len().max(1);
        list.get(at).copied().unwrap_or_default()
    }

    /// The paragraphs of the news.
    fn news(&mut self, story: Story) -> Vec<Block> {
        match story {
            Story::Other => return Vec::new(),
            Story::Target => return self.merger(),
            Story::ExhibitOnly => {
                let who = self.introduced("(the “Company”)");
                let opening = self.frame(prose::OPENINGS.last().copied().unwrap_or_default(), &who);
                return vec![Block::Prose(vec![opening])];
            }
            _ => {}
        }
        let voice = if story == Story::Named { Voice::Named } else { self.voice() };
        let (opening, evidence) = self.opening(story, voice);
        let mut first = vec![opening];
        for _ in 0..self.rng.below(3) {
            self.add_reason(&mut first);
        }
        let mut second = Vec::new();
        if story == Story::NearMisses {
            for _ in 0..3 {
                self.add_near_miss(&mut second, voice);
            }
        } else {
            let which = self.rng.below(10);
            let mut facts = Vec::new();
            if which != 0 && which != 1 {
                facts.push(("charges", self.pattern(&CHARGES, 0)));
            }
            if !(2..=4).contains(&which) {
                facts.push(("workforce", self.pattern(&WORKFORCE, 3)));
            }
            if self.rng.chance(40) {
                facts.reverse();
            }
            for (fact, pattern) in facts {
                let sentence = self.say(pattern, voice, 7);
                let coreferent = voice != Voice::Named;
                let evidence = evidence.clone().filter(|_| coreferent);
                self.planted.push(Planted {
                    fact: fact.to_owned(),
                    sentence: sentence.clone(),
                    coreferent_only: coreferent,
                    answer: coreferent,
                    unique: coreferent,
                    evidence,
                });
                second.push(sentence);
                if self.rng.chance(35) {
                    self.add_near_miss(&mut second, voice);
                }
            }
        }
        let mut blocks = vec![Block::Prose(first)];
        if self.rng.chance(30) && second.len() > 1 {
            let rest = second.split_off(1);
            blocks.extend([Block::Prose(second), Block::Prose(rest)]);
        } else {
            blocks.push(Block::Prose(second));
        }
        if self.rng.chance(20) {
            blocks.push(self.table());
        }
        if self.rng.chance(45) {
            blocks.push(Block::Heading(
                self.rng.pick(&["Forward-Looking Statements", "Cautionary Note Regarding Forward-Looking Statements"]),
            ));
            blocks.push(Block::Prose(prose::FORWARD_LOOKING.iter().map(|s| (*s).to_owned()).collect()));
        }
        blocks
    }

    fn opening(&mut self, story: Story, voice: Voice) -> (String, Option<PlantedEvidence>) {
        let (list, who): (&[&str], String) = match story {
            Story::Unbound => (&prose::PLAIN_OPENINGS, self.company.full.clone()),
            Story::Nameless => (&prose::NAMELESS_OPENINGS, String::new()),
            _ => {
                let first = self.first_word().to_owned();
                let definition = voice.definition(&first, &mut self.rng);
                (&prose::OPENINGS, self.introduced(&definition))
            }
        };
        let pattern = self.rng.pick(list).to_owned();
        let sentence = self.frame(&pattern, &who);
        let kind = match story {
            Story::Nameless => None,
            Story::Unbound => Some(EvidenceKind::NearestName),
            _ => Some(EvidenceKind::Binding),
        };
        let evidence = kind.map(|kind| PlantedEvidence { sentence: sentence.clone(), kind });
        (sentence, evidence)
    }

    fn add_reason(&mut self, to: &mut Vec<String>) {
        let pattern = self.rng.pick(&prose::REASONS).to_owned();
        let sentence = self.frame(&pattern, "");
        if !to.contains(&sentence) {
            to.push(sentence);
        }
    }

    fn add_near_miss(&mut self, to: &mut Vec<String>, voice: Voice) {
        let pattern = NEAR_MISSES.get(self.rng.below(NEAR_MISSES.len())).copied().unwrap_or_default();
        if to.is_empty() && !stands_first(pattern) {
            return;
        }
        let sentence = self.say(pattern, voice, 5);
        if !to.contains(&sentence) {
            to.push(sentence);
        }
    }

    /// The filer buys somebody who is called the Company from there on.
    fn merger(&mut self) -> Vec<Block> {
        let date = self.date.long();
        let opening = format!(
            "On {date}, {} (“Parent”) entered into an Agreement and Plan of Merger (the “Merger Agreement”) with {} (the “Company”), a maker of {}.",
            self.company.full, self.other.full, self.other.makes
        );
        let second = "At the effective time a newly formed subsidiary will merge with and into the Company, which will survive (the “Surviving Corporation”).";
        let third = "Each outstanding share of common stock of the Company (“Company Common Stock”) will be turned into the right to receive cash.";
        let news = self.say(self.pattern(&CHARGES, 0), Voice::Company, 7);
        let after = format!("Before the closing, and apart from the merger, {}", lowered(&news));
        vec![Block::Prose(vec![opening, second.to_owned(), third.to_owned()]), Block::Prose(vec![after])]
    }

    fn table(&mut self) -> Block {
        let mut rows = vec![["In millions".to_owned(), "Low".to_owned(), "High".to_owned()]];
        for label in ["Severance", "Leases", "Other"] {
            let low = self.rng.between(1, 40);
            rows.push([label.to_owned(), low.to_string(), (low + self.rng.between(1, 5)).to_string()]);
        }
        Block::Table(rows)
    }

    fn press_release(&mut self, story: Story) -> Vec<Vec<String>> {
        if story != Story::ExhibitOnly && self.rng.chance(60) {
            return Vec::new();
        }
        let city = self.company.city.to_uppercase();
        let lead =
            format!("{city}, {}, {} today reported on its plans for the year.", self.date.long(), self.company.full);
        let mut facts = Vec::new();
        if matches!(story, Story::ExhibitOnly | Story::Other) {
            facts.push(self.say(self.pattern(&CHARGES, 5), Voice::Company, 9));
            facts.push(self.say(self.pattern(&WORKFORCE, 8), Voice::We, 9));
        } else {
            facts.push(self.frame("Demand for {makes} is expected to recover in the second half of the year.", ""));
        }
        vec![
            vec![lead],
            facts,
            vec![
                "A conference call will be held tomorrow morning, and a replay will be kept for two weeks.".to_owned(),
            ],
        ]
    }

    fn distractor(&mut self, index: usize) -> Option<Item> {
        let (number, title, sentences) = prose::DISTRACTORS.get(index).copied()?;
        let sentences = sentences.iter().map(|s| self.frame(s, "")).collect();
        let mut blocks = vec![Block::Prose(sentences)];
        if matches!(number, "2.02") {
            blocks.push(Block::Prose(vec![prose::FURNISHED.to_owned()]));
        }
        Some(Item { number, title, stacked: None, blocks })
    }
}

fn lowered(sentence: &str) -> String {
    let mut chars = sentence.chars();
    chars.next().map(|c| c.to_lowercase().chain(chars).collect()).unwrap_or_default()
}

const FD: (&str, &str) = ("7.01", "Regulation FD Disclosure");
const EVENTS: (&str, &str) = ("8.01", "Other Events");
const EXIT: (&str, &str) = ("2.05", "Costs Associated with Exit or Disposal Activities");

/// Puts the news under an Item and others around it.
fn arrange(blocks: Vec<Block>, story: Story, frame: Frame, teller: &mut Teller<'_>) -> Vec<Item> {
    let item = |(number, title): (&'static str, &'static str), blocks| Item { number, title, stacked: None, blocks };
    let mut items = Vec::new();
    if frame.old_items {
        if !blocks.is_empty() {
            items.push(item(("5", "Other Events"), blocks));
        }
        let wanted = items.is_empty() || teller.rng.chance(30);
        if let Some(other) = teller.distractor(7).filter(|_| wanted) {
            items.insert(0, Item { number: "4", title: "Changes in Registrant’s Certifying Accountant", ..other });
        }
        return items;
    }
    let count = if blocks.is_empty() { teller.rng.between(1, 3) } else { teller.rng.below(3) };
    let mut others: Vec<Item> = Vec::new();
    for _ in 0..count {
        let index = teller.rng.below(prose::DISTRACTORS.len());
        if let Some(other) = teller.distractor(index).filter(|o| !others.iter().any(|x| x.number == o.number)) {
            others.push(other);
        }
    }
    if !blocks.is_empty() {
        match story {
            Story::Target => {
                others.retain(|o| o.number != "1.01");
                items.push(item(("1.01", "Entry into a Material Definitive Agreement"), blocks));
            }
            Story::ExhibitOnly => items.push(item(FD, blocks)),
            _ => match teller.rng.below(10) {
                0 | 1 => {
                    let target = if teller.rng.chance(50) { EVENTS } else { FD };
                    others.retain(|o| o.number != target.0);
                    let pointer = format!(
                        "The information set forth under Item {} below is incorporated by reference into this Item 2.05.",
                        target.0
                    );
                    items.push(item(EXIT, vec![Block::Prose(vec![pointer])]));
                    items.push(item(target, blocks));
                }
                2 => items.push(Item { stacked: Some(FD), ..item(EXIT, blocks) }),
                _ => {
                    items.push(item(EXIT, blocks));
                    if teller.rng.chance(15) {
                        let furnished = vec![
                            Block::Prose(vec!["A presentation on the same subject is attached to this report as an exhibit and was posted today.".to_owned()]),
                            Block::Prose(vec![prose::FURNISHED.to_owned()]),
                        ];
                        items.push(item(FD, furnished));
                    }
                }
            },
        }
    }
    // Filings do not keep to the order of numbers.
    let at = teller.rng.below(items.len() + 1);
    let at = if items.len() > 1 && at == 1 { 0 } else { at };
    for other in others {
        items.insert(at, other);
    }
    items
}

fn exhibits_item(frame: Frame, attached: bool) -> Item {
    let mut rows = vec![["Exhibit No.".to_owned(), String::new(), "Description".to_owned()]];
    if attached {
        rows.push(["99.1".to_owned(), String::new(), "Press release".to_owned()]);
    }
    if frame.first_year >= 2019 {
        rows.push([
            "104".to_owned(),
            String::new(),
            "Cover Page Interactive Data File (embedded within the Inline XBRL document)".to_owned(),
        ]);
    }
    let number = if frame.old_items { "7" } else { "9.01" };
    let title = if frame.old_items {
        "Financial Statements, Pro Forma Financial Information and Exhibits"
    } else {
        "Financial Statements and Exhibits"
    };
    let blocks = if rows.len() > 1 {
        vec![Block::Heading("(d) Exhibits."), Block::Table(rows)]
    } else {
        vec![Block::Prose(vec!["Not applicable.".to_owned()])]
    };
    Item { number, title, stacked: None, blocks }
}

//! A chart read back from its text: what is written where.

use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;

/// A text and the box it takes by the widths of a wide font; a rising one is measured along its own line.
#[derive(Debug)]
pub(crate) struct Text {
    pub(crate) text: String,
    pub(crate) rising: bool,
    pub(crate) top: f64,
    bottom: f64,
    left: f64,
    right: f64,
    corners: [(f64, f64); 4],
}

#[derive(Debug, Default)]
pub(crate) struct Drawing {
    pub(crate) role: Option<String>,
    pub(crate) labelled_by: Option<String>,
    pub(crate) has_size: bool,
    pub(crate) ids: Vec<String>,
    pub(crate) titles: Vec<String>,
    pub(crate) texts: Vec<Text>,
    size: (f64, f64),
    places: Vec<(f64, f64)>,
}

/// Reads a chart; an error where it is not well-formed, holds a number that is none, or anything but its own elements.
pub(crate) fn read(svg: &str) -> Result<Drawing, String> {
    let mut reader = Reader::from_str(svg);
    let mut drawing = Drawing::default();
    let mut open: Vec<String> = Vec::new();
    let (mut title, mut text): (String, Option<(BytesStart<'static>, String)>) = (String::new(), None);
    loop {
        match reader.read_event().map_err(|e| e.to_string())? {
            Event::Eof => break,
            Event::Start(e) => {
                let name = drawing.element(&e)?;
                if name == "text" {
                    text = Some((e.into_owned(), String::new()));
                }
                open.push(name);
            }
            Event::Empty(e) => {
                drawing.element(&e)?;
            }
            Event::End(e) => {
                let name = e.name().as_ref().to_owned();
                if open.pop().as_ref() != Some(&name) {
                    return Err(format!("{name} closed where it is not open"));
                }
                if name == "title" {
                    drawing.titles.push(std::mem::take(&mut title));
                } else if name == "text"
                    && let Some((element, words)) = text.take()
                {
                    drawing.texts.push(Text::new(&element, words)?);
                }
            }
            event @ (Event::Text(_) | Event::GeneralRef(_)) => {
                let piece = match event {
                    Event::Text(t) => t.as_ref().to_owned(),
                    Event::GeneralRef(r) => match r.as_ref() {
                        "amp" => "&".into(),
                        "lt" => "<".into(),
                        "gt" => ">".into(),
                        "quot" => "\"".into(),
                        "#39" => "'".into(),
                        other => return Err(format!("&{other};")),
                    },
                    _ => String::new(),
                };
                if let Some(bad) =
                    piece.chars().find(|c| (c.is_control() && *c != '\n') || matches!(c, '\u{fffe}' | '\u{ffff}'))
                {
                    return Err(format!("{bad:?} in text"));
                }
                match (open.last().map(String::as_str), &mut text) {
                    (Some("title"), _) => title.push_str(&piece),
                    (Some("text"), Some((_, words))) => words.push_str(&piece),
                    _ => {}
                }
            }
            other => return Err(format!("unexpected {other:?}")),
        }
    }
    if !open.is_empty() {
        return Err(format!("{open:?} left open"));
    }
    Ok(drawing)
}

fn attribute(element: &BytesStart<'_>, name: &str) -> Option<String> {
    element.try_get_attribute(name).ok().flatten().map(|a| a.value.into_owned())
}

fn number(element: &BytesStart<'_>, name: &str) -> Result<f64, String> {
    let value = attribute(element, name).ok_or(format!("no {name}"))?;
    exact(&value)
}

fn exact(value: &str) -> Result<f64, String> {
    let short = value.split_once('.').is_none_or(|(_, decimals)| decimals.len() <= 2);
    match value.parse::<f64>() {
        Ok(n) if n.is_finite() && short => Ok(n),
        _ => Err(format!("{value} is no coordinate")),
    }
}

impl Drawing {
    fn element(&mut self, e: &BytesStart<'_>) -> Result<String, String> {
        let name = e.name().as_ref().to_owned();
        self.ids.extend(attribute(e, "id"));
        for attribute in e.attributes() {
            let attribute = attribute.map_err(|e| e.to_string())?;
            if attribute.key.as_ref().starts_with("on") {
                return Err("a handler".into());
            }
        }
        let pair = |x: &str, y: &str| -> Result<(f64, f64), String> { Ok((number(e, x)?, number(e, y)?)) };
        match name.as_str() {
            "svg" => {
                self.role = attribute(e, "role");
                self.labelled_by = attribute(e, "aria-labelledby");
                self.has_size = attribute(e, "width").is_some();
                let view = attribute(e, "viewBox").ok_or("no viewBox")?;
                let parts: Vec<f64> = view.split(' ').map(exact).collect::<Result<_, _>>()?;
                let [0.0, 0.0, width, height] = parts[..] else { return Err(view) };
                self.size = (width, height);
            }
            "line" => self.places.extend([pair("x1", "y1")?, pair("x2", "y2")?]),
            "rect" => {
                let (at, size) = (pair("x", "y")?, pair("width", "height")?);
                self.places.extend([at, (at.0 + size.0, at.1 + size.1)]);
            }
            "circle" => {
                let (at, r) = (pair("cx", "cy")?, number(e, "r")?);
                self.places.extend([(at.0 - r, at.1 - r), (at.0 + r, at.1 + r)]);
            }
            "path" => {
                let data = attribute(e, "d").ok_or("no d")?;
                for step in data.trim_end_matches('Z').split(['M', 'L']).filter(|s| !s.is_empty()) {
                    let (x, y) = step.split_once(' ').ok_or(step)?;
                    self.places.push((exact(x)?, exact(y)?));
                }
            }
            "g" | "title" | "desc" | "style" | "text" => {}
            other => return Err(format!("a {other}")),
        }
        Ok(name)
    }

    /// Everything lies in the view box.
    pub(crate) fn inside(&self) -> Result<(), String> {
        let out = |(x, y): &(f64, f64)| *x < 0.0 || *y < 0.0 || *x > self.size.0 || *y > self.size.1;
        if let Some(place) = self.places.iter().find(|p| out(p)) {
            return Err(format!("{place:?} is outside {:?}", self.size));
        }
        match self.texts.iter().find(|t| t.corners.iter().any(out)) {
            Some(text) => Err(format!("{text:?} is outside {:?}", self.size)),
            None => Ok(()),
        }
    }

    /// No text lies over another.
    pub(crate) fn nothing_covered(&self) -> Result<(), String> {
        for (i, a) in self.texts.iter().enumerate() {
            for b in &self.texts[..i] {
                if a.covers(b) {
                    return Err(format!("{a:?} and {b:?} overlap"));
                }
            }
        }
        Ok(())
    }
}

impl Text {
    fn new(element: &BytesStart<'_>, text: String) -> Result<Self, String> {
        let (x, y, size) = (number(element, "x")?, number(element, "y")?, number(element, "font-size")?);
        if size < 12.0 {
            return Err(format!("{text}: text of {size}"));
        }
        let width = width(&text) * size;
        let left = match attribute(element, "text-anchor").as_deref() {
            Some("middle") => x - width / 2.0,
            Some("end") => x - width,
            _ => x,
        };
        let (right, top, bottom) = (left + width, y - 0.76 * size, y + 0.22 * size);
        let rising = attribute(element, "transform").is_some();
        let turn = |(px, py): (f64, f64)| {
            let (dx, dy) = (px - x, py - y);
            let lean = std::f64::consts::FRAC_1_SQRT_2;
            if rising { (x + (dx + dy) * lean, y + (dy - dx) * lean) } else { (px, py) }
        };
        let corners = [(left, top), (right, top), (right, bottom), (left, bottom)].map(turn);
        Ok(Self { text, rising, top, bottom, left, right, corners })
    }

    fn covers(&self, other: &Self) -> bool {
        // Along and across the lines of both: boxes apart on one of these axes do not meet.
        let axes: &[(f64, f64)] = if self.rising || other.rising {
            &[(1.0, 0.0), (0.0, 1.0), (1.0, -1.0), (1.0, 1.0)]
        } else {
            return self.left + 0.1 < other.right
                && other.left + 0.1 < self.right
                && self.top + 0.1 < other.bottom
                && other.top + 0.1 < self.bottom;
        };
        axes.iter().all(|axis| {
            let reach = |t: &Self| {
                let along = t.corners.map(|(x, y)| x * axis.0 + y * axis.1);
                (along.into_iter().fold(f64::INFINITY, f64::min), along.into_iter().fold(f64::NEG_INFINITY, f64::max))
            };
            let (a, b) = (reach(self), reach(other));
            a.0 + 0.1 < b.1 && b.0 + 0.1 < a.1
        })
    }
}

/// A second opinion of how wide a text is: classes of letters of a wide font, none wider than it is there.
fn width(text: &str) -> f64 {
    text.chars()
        .map(|c| match c {
            'i' | 'j' | 'l' | 'I' | 'J' | '\'' => 0.27,
            ' ' | '.' | ',' => 0.31,
            ':' | ';' | '/' | '\\' | '|' | 'f' | 't' | 'r' | '-' | '(' | ')' | '[' | ']' | '!' | '"' => 0.33,
            'c' | 's' | 'z' | 'k' | 'v' | 'x' | 'y' => 0.52,
            'm' | 'w' | 'M' | 'W' => 0.82,
            'F' | 'L' => 0.56,
            '0'..='9' => 0.63,
            c if c.is_ascii_alphabetic() => 0.6,
            c if c.is_ascii() => 0.5,
            '\u{300}'..='\u{36f}' | '\u{200b}'..='\u{200d}' | '\u{fe00}'..='\u{fe0f}' => 0.0,
            c if (c as u32) < 0x1100 => 0.6,
            _ => 1.0,
        })
        .sum()
}

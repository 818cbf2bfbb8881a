//! Rows of data, and prose that is laid out in cells.

use super::body;

#[test]
fn cells_are_never_glued() {
    assert_eq!(body("<table><tr><td>a</td><td>b</td></tr></table>"), ["a b"]);
    assert_eq!(
        body("<table><tr><td>a</td><td>b</td><td>c</td></tr><tr><td>d<td>e<td>f</table>"),
        ["[a|b|c]", "[d|e|f]"]
    );
}

#[test]
fn an_item_and_its_title_in_two_cells_are_one_line() {
    let m = "<table><tr><td><b>Item&nbsp;7.01</b></td><td></td><td><b>Regulation FD Disclosure.</b></td></tr></table><p>x</p>";
    assert_eq!(body(m), ["Item 7.01 Regulation FD Disclosure.", "x"]);
}

#[test]
fn signs_stick_to_their_numbers() {
    let m =
        "<table><tr><td>Severance</td><td>$</td><td>5.2</td><td>(4.1</td><td>)</td><td>12</td><td>%</td></tr></table>";
    assert_eq!(body(m), ["[Severance|$5.2|(4.1)|12%]"]);
}

#[test]
fn a_bullet_and_its_passage_are_prose() {
    let m = "<table><tr><td></td><td>•</td><td>The Company expects to close one plant in Ohio by the end of the year.</td></tr></table>";
    assert_eq!(body(m), ["• The Company expects to close one plant in Ohio by the end of the year."]);
}

#[test]
fn a_table_around_the_document_changes_nothing() {
    let m = "<table><tr><td><p>Item 8.01 Other Events</p><p>We closed a plant.</p>\
             <table><tr><td>a</td><td>b</td><td>c</td></tr></table><p>It was old.</p></td></tr></table>";
    assert_eq!(body(m), ["Item 8.01 Other Events", "We closed a plant.", "[a|b|c]", "It was old."]);
}

#[test]
fn long_passages_in_cells_are_paragraphs() {
    let long =
        "The plan covers every site of the Company in the region and will take two years to carry out. ".repeat(4);
    let long = long.trim();
    let m = format!("<table><tr><td>(i)</td><td>{long}</td><td>{long}</td><td>x</td></tr></table>");
    assert_eq!(body(&m), [format!("(i) {long}"), long.to_owned(), "x".to_owned()]);
}

#[test]
fn paragraphs_inside_a_cell_of_data_stay_in_the_row() {
    let m = "<table><tr><td><p>Jane</p><p>Roe</p></td><td>1<br>2</td><td>3</td></tr></table>";
    assert_eq!(body(m), ["[Jane Roe|1 2|3]"]);
}

//! Functions of one number.

use super::xml::Element;
use crate::FileError;
use fusiform_motion::function::{Function, Spline};

/// How deep functions may lie in functions.
const DEEPEST: usize = 16;

const KNOWN: &str = "use Constant, LinearFunction, PolynomialFunction, PiecewiseLinearFunction, SimmSpline or \
                     MultiplierFunction";

pub(super) fn read(element: &Element, warnings: &mut Vec<String>) -> Result<Function, FileError> {
    nested(element, warnings, DEEPEST)
}

/// Whether an element is a function at all.
pub(super) fn is_one(element: &Element) -> bool {
    let kind = element.kind();
    kind == "Constant" || kind.ends_with("Function") || kind.ends_with("Spline")
}

/// Times a number; constants and 1 need no wrapper.
pub(super) fn scaled(function: Function, factor: f64) -> Function {
    match function {
        function if factor == 1.0 => function,
        Function::Constant(value) => Function::Constant(factor * value),
        Function::Linear { slope, intercept } => {
            Function::Linear { slope: factor * slope, intercept: factor * intercept }
        }
        function => Function::Times(factor, Box::new(function)),
    }
}

fn nested(element: &Element, warnings: &mut Vec<String>, depth: usize) -> Result<Function, FileError> {
    match element.kind() {
        "Constant" => Ok(Function::Constant(element.number("value", 0.0)?)),
        "LinearFunction" => match coefficients(element)?[..] {
            [slope, intercept] => Ok(Function::Linear { slope, intercept }),
            [] => Ok(Function::IDENTITY),
            _ => Err(element.error("a line has two coefficients, slope and intercept").cure("write two numbers there")),
        },
        "PolynomialFunction" => Ok(Function::Polynomial(coefficients(element)?)),
        "PiecewiseLinearFunction" => {
            let (x, y) = points(element)?;
            let ascends = x.windows(2).all(|pair| pair[0] < pair[1]);
            if ascends { Ok(Function::PiecewiseLinear { x, y }) } else { Err(not_ascending(element)) }
        }
        // the latter two are what SimmSpline was called before version 3
        "SimmSpline" | "NaturalCubicSpline" | "natCubicSpline" => {
            let (x, y) = points(element)?;
            Spline::simm(&x, &y).map(Function::Spline).ok_or_else(|| not_ascending(element))
        }
        "GCVSpline" => smoothing(element, warnings),
        "MultiplierFunction" => {
            let inner = element.child("function").and_then(|function| function.children().next());
            match inner {
                Some(_) if depth == 0 => {
                    Err(element.error("functions lie too deep in functions").cure("multiply their scales"))
                }
                Some(inner) => Ok(scaled(nested(&inner, warnings, depth - 1)?, element.number("scale", 1.0)?)),
                None => Err(element.error("it multiplies no function").cure(KNOWN)),
            }
        }
        kind => Err(element.error(format!("the function {kind} is not known")).cure(KNOWN)),
    }
}

/// A generalised cross-validation spline without smoothing is the natural spline of its degree.
fn smoothing(element: &Element, warnings: &mut Vec<String>) -> Result<Function, FileError> {
    let degree = 2.0 * element.number("half_order", 3.0)? - 1.0;
    if degree != 3.0 || element.number("error_variance", 0.0)? != 0.0 {
        let owner = element.ancestors().find(|above| !above.name().is_empty()).map_or("", |above| above.name());
        warnings.push(format!("The spline of {owner:?} is read as one of degree 3 that passes all its points."));
    }
    let (x, y) = points(element)?;
    Spline::natural(&x, &y).map(Function::Spline).ok_or_else(|| not_ascending(element))
}

fn coefficients(element: &Element) -> Result<Vec<f64>, FileError> {
    Ok(element.numbers("coefficients")?.unwrap_or_default())
}

fn points(element: &Element) -> Result<(Vec<f64>, Vec<f64>), FileError> {
    let (x, y) = (element.numbers("x")?.unwrap_or_default(), element.numbers("y")?.unwrap_or_default());
    if x.is_empty() || x.len() != y.len() {
        let error = element.error(format!("it has {} values of x and {} of y", x.len(), y.len()));
        return Err(error.cure("give as many of y as of x"));
    }
    Ok((x, y))
}

fn not_ascending(element: &Element) -> FileError {
    element.error("its values of x do not ascend, or are fewer than two").cure("sort its points, without two at one x")
}

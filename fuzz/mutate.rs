//! Bends a JSON document where bytes flipped at random would only break its syntax.
//!
//! The input is a text, or a text, a zero byte, and bytes. Every other time libFuzzer's own mutations are used.

use libfuzzer_sys::fuzzer_mutate;
use serde_json::{Map, Value, json};

/// Numbers that readers stumble over.
const HOSTILE: [&str; 22] = [
    "0", "1", "2", "3", "7", "-1", "255", "256", "65535", "65536", "4294967295", "4294967296", "9223372036854775807",
    "18446744073709551615", "0.5", "-0.0", "1e-45", "1e-20", "1e19", "3.4e38", "-3.4e38", "1e308",
];

/// A mutated input, in place; returns its size.
pub fn document(data: &mut [u8], size: usize, max_size: usize, seed: u32) -> usize {
    let mut dice = Dice(u64::from(seed) << 20 | 0x9E37_79B9);
    if dice.below(3) == 0 {
        return fuzzer_mutate(data, size, max_size);
    }
    let end = data[..size].iter().position(|&byte| byte == 0).unwrap_or(size);
    let Ok(mut json) = serde_json::from_slice::<Value>(&data[..end]) else {
        return fuzzer_mutate(data, size, max_size);
    };
    let mut bytes = data[end..size].to_vec();
    for _ in 0..=dice.below(3) {
        let donor = pick(&json, &mut dice);
        bend(&mut json, donor, &mut dice);
        if bytes.len() > 5 && dice.below(4) == 0 {
            bend_bytes(&mut bytes[1..], &mut dice);
        }
    }
    let out = [json.to_string().into_bytes(), bytes].concat();
    if out.len() > max_size {
        return fuzzer_mutate(data, size, max_size);
    }
    data[..out.len()].copy_from_slice(&out);
    out.len()
}

/// xorshift64*.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % n.max(1)
    }
}

/// How many values there are in a value, itself among them.
fn count(value: &Value) -> usize {
    1 + match value {
        Value::Array(list) => list.iter().map(count).sum(),
        Value::Object(map) => map.values().map(count).sum(),
        _ => 0,
    }
}

/// The value at that place, all of them counted in order.
fn find(value: &mut Value, at: &mut usize) -> Option<*mut Value> {
    if *at == 0 {
        return Some(value);
    }
    *at -= 1;
    match value {
        Value::Array(list) => list.iter_mut().find_map(|value| find(value, at)),
        Value::Object(map) => map.values_mut().find_map(|value| find(value, at)),
        _ => None,
    }
}

fn pick(json: &Value, dice: &mut Dice) -> Value {
    let mut json = json.clone();
    let mut at = dice.below(count(&json));
    let found = find(&mut json, &mut at);
    // SAFETY: it points into `json`, which lives until the end of this function and is not touched in between.
    found.map_or(Value::Null, |found| unsafe { (*found).clone() })
}

fn bend(json: &mut Value, donor: Value, dice: &mut Dice) {
    let mut at = dice.below(count(json));
    let Some(found) = find(json, &mut at) else { return };
    // SAFETY: it points into `json`, which is borrowed for all of this function and used through it alone.
    let found = unsafe { &mut *found };
    match (dice.below(8), found) {
        (0, found) => *found = donor,
        (1, Value::Array(list)) if !list.is_empty() => drop(list.remove(dice.below(list.len()))),
        (2, Value::Array(list)) if !list.is_empty() => {
            let copy = list[dice.below(list.len())].clone();
            list.insert(dice.below(list.len()), copy);
        }
        (3, Value::Array(list)) => list.push(donor),
        (1 | 2, Value::Object(map)) if !map.is_empty() => remove(map, dice),
        (3, Value::Object(map)) if !map.is_empty() => {
            let key = map.keys().nth(dice.below(map.len())).cloned().unwrap_or_default();
            map.insert(key, donor);
        }
        (4, Value::Array(list)) if !list.is_empty() => {
            let (a, b) = (dice.below(list.len()), dice.below(list.len()));
            list.swap(a, b);
        }
        (5, found @ Value::Number(_)) => {
            let near = found.as_i64().unwrap_or(0).wrapping_add(dice.below(5) as i64 - 2);
            *found = json!(near);
        }
        // a reader that takes lists for objects has two shapes to get wrong
        (5, found @ Value::Object(_)) => *found = found.as_object().map(|map| map.values().cloned().collect()).unwrap_or_default(),
        (_, found @ (Value::Number(_) | Value::Null | Value::Bool(_))) => *found = hostile(dice),
        (6, Value::String(text)) => text.push('x'),
        _ => {}
    }
}

fn remove(map: &mut Map<String, Value>, dice: &mut Dice) {
    let key = map.keys().nth(dice.below(map.len())).cloned().unwrap_or_default();
    map.shift_remove(&key);
}

fn hostile(dice: &mut Dice) -> Value {
    serde_json::from_str(HOSTILE[dice.below(HOSTILE.len())]).unwrap_or(Value::Null)
}

/// Floats that are none, and their like, at multiples of four.
fn bend_bytes(bytes: &mut [u8], dice: &mut Dice) {
    let words = [0, 1, 0x7FC0_0000, 0x7F80_0000, 0xFF80_0000, 0x7F7F_FFFF, 0x3F80_0000, u32::MAX, 0x8000_0000, 0x0080_0000];
    let at = 4 * dice.below(bytes.len() / 4);
    bytes[at..at + 4].copy_from_slice(&u32::to_le_bytes(words[dice.below(words.len())]));
}

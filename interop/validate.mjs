// Khronos' glTF validator over files we wrote: `node validate.mjs PACKAGES OURS[=INPUT]...`
// A file stands alone (no error, no warning), or beside the input it came from (nothing that the input did not have).
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

const [packages, ...pairs] = process.argv.slice(2);
const validator = createRequire(join(packages, 'package.json'))('gltf-validator');

/** How often each kind of issue occurs. Hints are kept apart: they judge style. */
async function issues(path) {
  const beside = (uri) => Promise.resolve(new Uint8Array(readFileSync(join(dirname(path), decodeURIComponent(uri)))));
  const options = { uri: basename(path), maxIssues: 0, externalResourceFunction: beside };
  const report = await validator.validateBytes(new Uint8Array(readFileSync(path)), options);
  const counts = new Map();
  for (const { code, severity } of report.issues.messages.filter((issue) => issue.severity <= 1)) {
    const kind = `${severity === 0 ? 'error' : 'warning'} ${code}`;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return { counts, summary: report.issues };
}

let failed = false;
for (const pair of pairs) {
  const [ours, input] = pair.split('=');
  const { counts, summary } = await issues(ours);
  const allowed = input ? (await issues(input)).counts : new Map();
  const fresh = [...counts].filter(([kind, n]) => n > (allowed.get(kind) ?? 0));
  const own = [...allowed].map(([kind, n]) => `${n} ${kind}`).join(', ');
  const words = `${summary.numErrors} errors, ${summary.numWarnings} warnings` + (own ? `; the input's own: ${own}` : '');
  console.log(`${fresh.length ? 'FAILED' : 'ok    '} gltf-validator  ${basename(ours)}: ${words}`);
  fresh.forEach(([kind, n]) => console.log(`         not in the input: ${n} ${kind}`));
  failed ||= fresh.length > 0;
}
process.exit(failed ? 1 : 0);

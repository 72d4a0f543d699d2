// three.js in headless Chromium plays a bake, and every vertex is held against the solver's own positions:
// `node three.mjs PACKAGES BAKE.glb CLIP CACHE.pc2 CACHE_AT_TWICE_FPS.pc2 FPS METRES_PER_UNIT TOLERANCE_MM PICTURE.png [INPUT.glb]`
// With the input, which has morph targets of its own, those must be weighed as they were there. The solver knows nothing
// of them: they are left out where vertices are compared.
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, join, basename, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const [packages, bake, clip, cachePath, betweenPath, fps, metres, tolerance, picture, input] = process.argv.slice(2);
const { chromium } = createRequire(join(packages, 'package.json'))('playwright-core');

/** A .pc2 as its header tells it, read here without any code of ours. */
function readCache(path) {
  const bytes = readFileSync(path), n = bytes.readInt32LE(16), frames = bytes.readInt32LE(28);
  const points = new Float32Array(bytes.buffer.slice(bytes.byteOffset + 32, bytes.byteOffset + 32 + 12 * n * frames));
  return { n, frames, frame: (f) => points.subarray(3 * n * f, 3 * n * (f + 1)) };
}

const kinds = { html: 'text/html', js: 'text/javascript', glb: 'model/gltf-binary' };
const server = createServer((request, response) => {
  const path = normalize(new URL(request.url, 'http://x').pathname);
  const file = path === '/bake.glb' ? bake : path === '/input.glb' ? input
    : path.startsWith('/packages/') ? join(packages, 'node_modules', path.slice('/packages/'.length))
      : join(dirname(fileURLToPath(import.meta.url)), basename(path));
  try {
    const bytes = readFileSync(file);
    response.writeHead(200, { 'content-type': kinds[file.split('.').pop()] ?? 'application/octet-stream' }).end(bytes);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
});
let failed = true;
try {
  const page = await browser.newPage({ viewport: { width: 640, height: 720 } });
  const complaints = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('favicon') && !message.location().url.includes('favicon')) complaints.push(message.text());
  });
  await page.goto(`http://127.0.0.1:${server.address().port}/three.html`);
  await page.waitForFunction('window.ready === true', null, { timeout: 240_000 });
  const load = (url, own) => page.evaluate(([url, clip, own]) => window.load(url, clip, own), [url, clip, own]);
  const weights = (time) => page.evaluate((time) => window.weights(time), time);
  const own = input ? Math.max(...(await load('/input.glb', 0)).targets) : 0;
  const times = [0, 0.31, 0.77, 1.5, 2.9], wanted = [];
  if (own) {
    await load('/input.glb', own);
    for (const time of times) wanted.push((await weights(time)).flat());
  }
  const found = await load('/bake.glb', own);
  const cache = readCache(cachePath), finer = readCache(betweenPath), vertices = found.vertices.reduce((a, b) => a + b, 0);
  if (vertices !== cache.n) throw new Error(`three.js has ${vertices} vertices, the cache ${cache.n}`);

  const shown = async (time, withOwn = false) => {
    const bytes = Buffer.from(await page.evaluate(([time, withOwn]) => window.positions(time, withOwn), [time, withOwn]), 'base64');
    return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  };
  let max = 0, sum = 0, count = 0, between = 0, moved = 0;
  const distance2 = (a, b, i) => (a[i] - b[i]) ** 2 + (a[i + 1] - b[i + 1]) ** 2 + (a[i + 2] - b[i + 2]) ** 2;
  // the last sample of a cache may lie between frames: it is left out
  for (let f = 0; f + 1 < cache.frames; f++) {
    const solved = cache.frame(f), now = await shown(f / fps);
    for (let i = 0; i < solved.length; i += 3) {
      const d = distance2(now, solved, i);
      [max, sum, count] = [Math.max(max, d), sum + d, count + 1];
      moved = Math.max(moved, distance2(solved, cache.frame(0), i));
    }
    if (f % 4 === 0 && f + 2 < cache.frames) {
      // every other frame of the finer cache lies midway; its springs took shorter steps, which is part of the number
      const middle = finer.frame(2 * f + 1), half = await shown((f + 0.5) / fps);
      for (let i = 0; i < middle.length; i += 3) between = Math.max(between, distance2(half, middle, i));
    }
  }
  let astray = 0, bulge = 0;
  for (const [k, time] of own ? times.entries() : []) {
    (await weights(time)).flat().forEach((weight, i) => { astray = Math.max(astray, Math.abs(weight - wanted[k][i])); });
    const [without, together] = [await shown(time), await shown(time, true)];
    for (let i = 0; i < without.length; i += 3) bulge = Math.max(bulge, distance2(without, together, i));
  }
  const image = await page.evaluate((time) => window.draw(time), Math.floor(cache.frames / 2) / fps);
  writeFileSync(picture, Buffer.from(image.split(',')[1], 'base64'));
  const mm = (square) => (1000 * metres * Math.sqrt(square)).toFixed(3);
  failed = !(Number(mm(max)) <= Number(tolerance)) || complaints.length > 0 || moved === 0;
  failed ||= own > 0 && (!(astray <= 1e-5) || bulge === 0);
  console.log(`${failed ? 'FAILED' : 'ok    '} three.js        ${basename(bake)} ${clip}: ${cache.frames - 1} frames, ${vertices} vertices, ` +
    `${found.targets.reduce((a, b) => a + b, 0)} targets; max ${mm(max)} mm, rms ${mm(sum / count)} mm, ` +
    `midway max ${mm(between)} mm; moved ${mm(moved)} mm` +
    (own ? `; its own ${own} targets move ${mm(bulge)} mm, their weights are ${astray.toExponential(0)} off` : ''));
  complaints.forEach((complaint) => console.log(`         ${complaint}`));
} finally {
  await browser.close();
  server.close();
}
process.exit(failed ? 1 : 0);

// A browser with the studio in it, driven by what can be seen and touched: `widgets()` tells where that is.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';

const KINDS = { html: 'text/html', js: 'text/javascript', wasm: 'application/wasm' };
const FLAGS = ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'];
// in software
const WEBGL2 = ['--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'];
const WEBGPU = [...WEBGL2, '--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader', '--enable-features=Vulkan',
  '--use-vulkan=swiftshader', '--disable-vulkan-surface'];

/** Static files of one folder, on a free port. */
export async function serve(folder) {
  const server = createServer((request, response) => {
    const file = basename(new URL(request.url, 'http://x').pathname) || 'index.html';
    try {
      const bytes = readFileSync(join(folder, file));
      response.writeHead(200, { 'content-type': KINDS[file.split('.').pop()] ?? 'application/octet-stream' }).end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

export function launch(packages, graphics = true) {
  const { chromium } = createRequire(join(packages, 'package.json'))('playwright-core');
  const webgpu = graphics && process.env.GRAPHICS === 'webgpu';
  const args = [...FLAGS, ...(webgpu ? WEBGPU : graphics ? WEBGL2 : ['--disable-gpu', '--disable-3d-apis'])];
  // a canvas of WebGPU stays blank without a display
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', headless: !webgpu, args });
}

export const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

/** Ask until the answer is something. */
export async function until(what, ask, seconds = 240) {
  const end = Date.now() + 1000 * seconds;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (Date.now() > end) throw new Error(`${what}: waited ${seconds} s`);
    await sleep(50);
  }
}

/** One page. */
export class Studio {
  constructor(page) {
    this.page = page;
    this.complaints = [];
    page.on('pageerror', (error) => this.complaints.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && this.complaints.push(message.text()));
    page.on('dialog', (dialog) => dialog.accept()); // it asks before unsaved work is left
  }

  state() {
    return this.page.evaluate(() => globalThis.fusiform?.state() ?? null);
  }

  /** The session, once it is as wanted. */
  session(what, wanted = () => true) {
    return until(what, async () => {
      const session = (await this.state())?.session;
      return session && wanted(session) && session;
    });
  }

  /** Until nothing is unsaved that a page that is killed would take with it. */
  kept() {
    return until('what is kept', () => this.page.evaluate(() => globalThis.fusiform.isKept()));
  }

  /** Widgets of that role and name. */
  async all(role, name) {
    const fits = (text) => (name instanceof RegExp ? name.test(text) : text === name);
    const widgets = await this.page.evaluate(() => globalThis.fusiform.widgets());
    return widgets.filter((widget) => widget.role === role && fits(widget.name));
  }

  find(role, name) {
    return until(`${role} ${name}`, async () => (await this.all(role, name))[0]);
  }

  async press(x, y) {
    const { mouse } = this.page;
    await mouse.move(x, y);
    await this.frame();
    await mouse.down();
    await mouse.up();
    await this.frame();
  }

  async click(role, name) {
    await this.frame(); // what was done before may have moved it
    const { place: [left, top, right, bottom] } = await this.find(role, name);
    await this.press((left + right) / 2, (top + bottom) / 2);
  }

  /** From one point to another, in steps that are frames. */
  async drag(from, to, steps = 5) {
    const { mouse } = this.page;
    await mouse.move(...from);
    await this.frame();
    await mouse.down();
    for (let i = 1; i <= steps; i++) {
      await mouse.move(from[0] + ((to[0] - from[0]) * i) / steps, from[1] + ((to[1] - from[1]) * i) / steps);
      await this.frame();
    }
    await mouse.up();
    await this.frame();
  }

  /** A slider to a share of its length. */
  async slide(name, share) {
    await this.frame(); // what was done before may have moved it
    const { place: [left, top, right, bottom] } = await this.find('Slider', name);
    const y = (top + bottom) / 2;
    await this.drag([left + 0.3 * (right - left), y], [left + share * (right - left), y]);
  }

  /** Two frames of the page: what was done is seen in the second. */
  frame() {
    return this.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  }

  /** Files dropped on the middle of the page: names and bytes. */
  drop(...files) {
    const packed = files.map(([name, bytes]) => [name, Buffer.from(bytes).toString('base64')]);
    return this.page.evaluate((packed) => {
      const data = new DataTransfer();
      for (const [name, text] of packed) {
        data.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], name));
      }
      document.querySelector('canvas').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
    }, packed);
  }

  /** What comes as a download when something is done. */
  async downloaded(done, path) {
    const coming = this.page.waitForEvent('download', { timeout: 900_000 }); // films are slow where they are drawn in software
    await done();
    const download = await coming;
    await download.saveAs(path);
    return { name: download.suggestedFilename(), bytes: readFileSync(path) };
  }
}

// A session in the browser from opening to saving and back: `node check.mjs PACKAGES DIST PICTURES`
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Studio, launch, serve, sleep, until } from './driver.mjs';

const [packages, dist, pictures] = process.argv.slice(2);
const server = await serve(dist);
const browser = await launch(packages);
const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, acceptDownloads: true });
context.setDefaultTimeout(240_000); // all of it is drawn in software, on a machine that may be busy

async function open(what) {
  const studio = new Studio(await context.newPage());
  await studio.page.goto(server.url);
  await until(what, () => studio.state(), 120);
  return studio;
}
const look = (studio, name) => studio.page.screenshot({ path: join(pictures, `${name}.png`) });

let failed = false;
async function step(sentence, work) {
  const begin = Date.now();
  try {
    const note = await work();
    console.log(`ok ${sentence} (${((Date.now() - begin) / 1000).toFixed(1)} s)${note ? `: ${note}` : ''}`);
  } catch (error) {
    failed = true;
    for (const page of context.pages()) await page.screenshot({ path: join(pictures, 'failed.png') }).catch(() => {});
    console.log(`FAILED ${sentence}\n  ${error.stack ?? error}`);
    throw error;
  }
}

/** How fast it goes, over some seconds. */
async function pace(studio, seconds) {
  const rate = await studio.page.evaluate((ms) => new Promise((done) => {
    const begin = performance.now();
    let n = 0;
    const next = () => (performance.now() - begin < ms ? (n++, requestAnimationFrame(next)) : done((1000 * n) / (performance.now() - begin)));
    requestAnimationFrame(next);
  }), 1000 * seconds);
  const times = [];
  for (let i = 0; i < 15; i++) {
    times.push((await studio.state()).times);
    await studio.frame();
  }
  const middle = (which) => times.map((of) => of[which]).sort((a, b) => a - b)[times.length >> 1].toFixed(1);
  return `${rate.toFixed(1)} frames/s, drawn in software; solver ${middle(0)} ms, frame without the GPU ${middle(1)} ms`;
}

/** The JSON of a .glb and its one buffer. */
function parts(glb) {
  const end = 20 + glb.readUInt32LE(12);
  return { json: JSON.parse(glb.subarray(20, end).toString()), buffer: glb.subarray(end + 8) };
}

async function all(studio, word, which) {
  for (;;) {
    const session = await studio.session(word);
    if (session[which] === 0) return session;
    await studio.click('Button', word);
    await studio.session(word, (now) => now[which] < session[which]);
  }
}

try {
  let studio, first, last, saved;
  await step('the page opens with the athlete', async () => {
    studio = await open('the studio');
    const wanted = process.env.GRAPHICS ?? 'webgl2';
    assert.ok(await studio.page.evaluate((kind) => document.querySelector('canvas').getContext(kind) !== null, wanted), wanted);
    first = await studio.session('the athlete');
    assert.equal(first.name, 'athlete');
    assert.ok(first.n_muscle > 50 && first.n_vertex > 10_000, JSON.stringify(first));
    await studio.frame();
    await look(studio, '1_athlete');
    return `${first.n_vertex} vertices, ${first.n_muscle} muscles`;
  });
  await step('it is rigged, in one step', async () => {
    await studio.click('Button', 'Rig');
    await studio.click('Button', 'lee');
    const { n_muscle, undoes } = await studio.session('muscles', (now) => now.undo === 1);
    assert.ok(n_muscle > 100 && undoes === 'Fit', undoes);
    await studio.click('Button', 'Close window');
    return `${n_muscle} muscles`;
  });
  await step('a biceps is chosen in the list', async () => {
    await studio.click('TextInput', 'Search');
    await studio.page.keyboard.type('biceps', { delay: 60 });
    await studio.click('Button', 'biceps_brachii_long.l');
    const { chosen } = await studio.session('a choice', (now) => now.chosen.length === 1);
    assert.match(chosen[0], /biceps/);
    return chosen[0];
  });
  await step('its bulge is dragged, in one step', async () => {
    await studio.slide('Bulge', 0.8);
    await studio.session('the edit', (now) => now.undoes === 'Bulge' && now.undo === 2);
  });
  await step('a clip is played', async () => {
    await studio.click('ComboBox', 'Clip');
    await studio.click('Button', 'curl');
    const begun = await studio.session('the clip', (now) => now.clip === 'curl' && now.runs);
    await studio.session('time', (now) => now.time !== begun.time);
    await sleep(1500);
    await look(studio, '2_playing');
    const note = await pace(studio, 4);
    await studio.page.keyboard.press('Space');
    await studio.session('a pause', (now) => !now.runs);
    return note;
  });
  await step('the bulge is dragged again, taken back to its default, and a muscle deleted', async () => {
    await studio.slide('Bulge', 0.5);
    await studio.session('the edit', (now) => now.undo === 3);
    await studio.click('Button', 'Reset Bulge');
    await studio.session('the edit', (now) => now.undo === 4);
    const { n_muscle } = await studio.session('muscles');
    await studio.page.mouse.move(640, 400);
    await studio.page.keyboard.press('Delete');
    last = await studio.session('the edit', (now) => now.undo === 5 && now.n_muscle < n_muscle);
  });
  await step('weights are painted, in one step', async () => {
    await studio.click('Button', 'Paint');
    await studio.click('Button', 'Paint chest');
    await studio.drag([590, 300], [620, 330]);
    last = await studio.session('the stroke', (now) => now.undo === 6);
    await look(studio, '3_painted');
    await studio.click('Button', 'Select');
    return last.undoes;
  });
  await step('all of it is undone and redone', async () => {
    assert.equal((await all(studio, 'Undo', 'undo')).document, first.document);
    await look(studio, '4_undone');
    assert.equal((await all(studio, 'Redo', 'redo')).document, last.document);
  });
  await step('it is saved by download', async () => {
    saved = await studio.downloaded(() => studio.page.keyboard.press('Control+s'), join(pictures, 'saved.glb'));
    assert.equal(saved.name, 'athlete_rigged.glb');
    assert.equal(saved.bytes.subarray(0, 4).toString(), 'glTF');
    await studio.session('saved', (now) => !now.is_unsaved);
    return `${saved.bytes.length} bytes`;
  });
  await step('a bad file dropped on it is told and changes nothing', async () => {
    for (const [name, bytes] of [['broken.glb', 'not a glb at all'], ['half.glb', saved.bytes.subarray(0, saved.bytes.length >> 1)], ['broken.bvh', 'HIERARCHY']]) {
      await studio.drop([name, bytes]);
      const { fault, session } = await until('a message', async () => {
        const state = await studio.state();
        return state.fault?.includes(name) && state;
      });
      assert.deepEqual([session.name, session.document], ['athlete_rigged', last.document], fault);
      if (name === 'broken.glb') await look(studio, '5_bad_file');
    }
    await studio.click('Button', 'Dismiss');
    await until('no message', async () => !(await studio.state()).fault);
  });
  await step('what was saved is dropped on it, and is equal', async () => {
    await studio.drop([saved.name, saved.bytes]);
    const session = await studio.session('the file', (now) => now.name === 'athlete_rigged' && now.undo === 0);
    assert.deepEqual([session.document, session.undo, session.is_unsaved], [last.document, 0, false]);
  });
  await step('it is chosen by Open as well', async () => {
    const asked = studio.page.waitForEvent('filechooser');
    await studio.click('Button', 'File');
    await studio.click('Button', 'Open');
    await (await asked).setFiles({ name: 'chosen.glb', mimeType: 'model/gltf-binary', buffer: saved.bytes });
    const session = await studio.session('the file', (now) => now.name === 'chosen');
    assert.equal(session.document, last.document);
  });
  await step('pictures that are dropped with a .gltf are in what is saved, whatever is dropped meanwhile', async () => {
    const { json, buffer } = parts(saved.bytes);
    json.buffers[0].uri = 'hero.bin';
    json.images = [{ uri: 'textures/skin.png' }];
    const skin = Buffer.from('\x89PNG, more or less', 'latin1');
    await studio.drop(['hero.bin', buffer], ['hero.gltf', JSON.stringify(json)], ['skin.png', skin]);
    await studio.session('the file', (now) => now.name === 'hero');
    await studio.drop(['broken.bvh', 'HIERARCHY']);
    await until('a message', async () => (await studio.state()).fault?.includes('broken.bvh'));
    await studio.click('Button', 'Dismiss');
    const again = await studio.downloaded(() => studio.page.keyboard.press('Control+s'), join(pictures, 'hero.gltf'));
    const [image] = JSON.parse(again.bytes.toString()).images;
    assert.ok(image.uri === undefined && Number.isInteger(image.bufferView), JSON.stringify(image));
    await studio.drop(['chosen.glb', saved.bytes]);
    await studio.session('the file', (now) => now.name === 'chosen');
  });
  await step('a picture, a film and a bake leave by download', async () => {
    await studio.click('ComboBox', 'Clip');
    await studio.click('Button', 'curl');
    const notes = [];
    for (const [entry, button, name, magic] of [
      ['Picture…', 'Write picture', 'chosen.png', '\x89PNG'],
      ['GIF…', 'Write GIF', 'chosen.gif', 'GIF89a'],
      ['Bake…', 'Bake', 'chosen_baked.glb', 'glTF'],
    ]) {
      await studio.click('Button', 'Out');
      await studio.click('Button', entry);
      const out = await studio.downloaded(() => studio.click('Button', button), join(pictures, name));
      assert.equal(out.name, name);
      assert.equal(out.bytes.subarray(0, magic.length).toString('latin1'), magic);
      await look(studio, `6_${name.split('.')[1]}`);
      await studio.click('Button', 'Close window');
      notes.push(`${name} ${out.bytes.length} bytes`);
    }
    return notes.join(', ');
  });
  let unsaved;
  await step('unsaved work is kept, and a second page is not offered it while the first is open', async () => {
    await studio.page.keyboard.press('Control+q'); // closes no page, and ends no keeping
    await studio.click('Button', 'deltoid_middle.l');
    const { revision } = await studio.session('the file');
    await studio.slide('Bulge', 0.9);
    unsaved = await studio.session('the edit', (now) => now.is_unsaved && now.revision > revision);
    await studio.kept();
    const second = await open('a second page');
    assert.deepEqual((await second.state()).left_behind, []);
    assert.equal((await second.session('the athlete')).document, first.document);
    await second.page.close();
  });
  await step('a store that is full is told at once, and forgotten when it has room again', async () => {
    await studio.page.evaluate(() => {
      globalThis.put = IDBObjectStore.prototype.put;
      IDBObjectStore.prototype.put = () => { throw new DOMException('the disk is full', 'QuotaExceededError'); };
    });
    await studio.slide('Bulge', 0.7);
    await until('a message', async () => /not kept.*the disk is full/.test((await studio.state()).fault ?? ''));
    await studio.page.evaluate(() => { IDBObjectStore.prototype.put = globalThis.put; });
    await studio.click('Button', 'Dismiss');
    const { revision } = await studio.session('the file');
    await studio.slide('Bulge', 0.9);
    unsaved = await studio.session('the edit', (now) => now.revision > revision);
    await studio.kept();
    assert.equal((await studio.state()).fault, null);
  });
  await step('after a reload it is offered back', async () => {
    await studio.page.reload();
    const { left_behind, session } = await until('the offer', async () => studio.state(), 120);
    assert.deepEqual([left_behind, session], [['chosen'], null]);
    await look(studio, '5_offered');
    await studio.click('Button', 'Bring back');
    const back = await studio.session('the work');
    assert.deepEqual([back.name, back.document, back.is_unsaved], ['chosen', unsaved.document, true]);
    await studio.kept();
  });
  await step('after a page that was killed, too', async () => {
    await studio.page.close({ runBeforeUnload: false });
    const next = await open('the next page');
    assert.deepEqual((await next.state()).left_behind, ['chosen']);
    await next.click('Button', 'Bring back');
    assert.equal((await next.session('the work')).document, unsaved.document);
    const again = await next.downloaded(() => next.page.keyboard.press('Control+s'), join(pictures, 'again.glb'));
    assert.equal(again.name, 'chosen.glb');
    await next.session('saved', (now) => !now.is_unsaved);
    studio.complaints.push(...next.complaints);
    await next.page.close();
  });
  await step('what was downloaded is offered, too: nobody says whether it came through', async () => {
    const next = await open('a page after the download');
    assert.deepEqual((await next.state()).left_behind, ['chosen']);
    await next.page.close();
  });
  await step('nothing was complained about', async () => assert.deepEqual(studio.complaints, []));
  await step('without graphics one sentence says what to do', async () => {
    const bare = await launch(packages, false);
    const page = await bare.newPage();
    await page.goto(server.url);
    await until('the sentence', async () => /WebGL2 or WebGPU/.test(await page.textContent('#told')));
    await page.screenshot({ path: join(pictures, '7_no_graphics.png') });
    await bare.close();
  });
} catch {
  failed = true;
} finally {
  await browser.close();
  server.close();
}
process.exit(failed ? 1 : 0);

// The page around the studio: what a browser has in place of a disk, other processes and a window that asks before it closes.
import init, * as studio from './studio.js';

const told = document.getElementById('told');
const tell = (text) => { told.textContent = text; };

// --- unsaved work, which outlives the page: one table of files by name
const TABLE = 'kept';

function openStore() {
  return new Promise((done, fail) => {
    const asked = indexedDB.open('fusiform', 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(TABLE);
    asked.onsuccess = () => done(asked.result);
    asked.onerror = () => fail(asked.error);
  });
}

function everything(store) {
  return new Promise((done, fail) => {
    const files = [];
    const asked = store.transaction(TABLE).objectStore(TABLE).openCursor();
    asked.onsuccess = () => {
      const at = asked.result;
      if (!at) return done(files);
      files.push({ name: at.key, ...at.value });
      at.continue();
    };
    asked.onerror = () => fail(asked.error);
  });
}

let store = null;
let changes = 0;
let underWay = 0;
const missing = new Map(); // what the store did not take, and the number of the change that it refused
function refused(error, name, number) {
  missing.set(name, number);
  studio.refuse(`this browser's store says: ${error?.message ?? error}`);
}

// changes to one table are made in the order they were asked for
function change(name, work) {
  if (!store) return;
  const number = ++changes;
  try {
    const transaction = store.transaction(TABLE, 'readwrite', { durability: 'strict' });
    underWay++;
    transaction.onabort = () => {
      underWay--;
      refused(transaction.error, name, number);
    };
    transaction.oncomplete = () => {
      underWay--;
      // one in which nothing could be asked for is complete, too
      if (number > missing.get(name) && missing.delete(name) && missing.size === 0) studio.refuse();
    };
    work(transaction.objectStore(TABLE));
  } catch (error) {
    refused(error, name, number);
  }
}

// --- pages that are open, by number: each holds a lock for as long as it is
async function sessions() {
  const [mine] = crypto.getRandomValues(new Uint32Array(1));
  const prefix = 'fusiform-session-';
  if (!navigator.locks) return [mine, []]; // only pages from https or this computer have them
  const { held } = await navigator.locks.query();
  const others = held.filter(({ name }) => name.startsWith(prefix)).map(({ name }) => Number(name.slice(prefix.length)));
  navigator.locks.request(prefix + mine, () => new Promise(() => {}));
  return [mine, others];
}

// --- what the studio calls; bytes it hands over are its own memory, which moves: they are copied at once
globalThis.fusiformPage = {
  download(name, bytes) {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  },
  keep(name, bytes) {
    const file = { bytes: bytes.slice(), when: Date.now() / 1000 };
    change(name, (table) => table.put(file, name));
  },
  forget(name) {
    change(name, (table) => table.delete(name));
  },
  // after the next frame, which a page that nobody sees has none of
  later(work) {
    let frame;
    const begin = () => {
      cancelAnimationFrame(frame);
      document.removeEventListener('visibilitychange', begin);
      setTimeout(work, 0);
    };
    if (document.hidden) return begin();
    frame = requestAnimationFrame(begin);
    document.addEventListener('visibilitychange', begin);
  },
  choose() {
    const input = document.createElement('input');
    Object.assign(input, { type: 'file', multiple: true, accept: '.glb,.gltf,.bin,.png,.jpg,.jpeg,.webp,.bvh,.toml' });
    input.onchange = async () => {
      const files = await Promise.all([...input.files].map(async (file) => [file.name, new Uint8Array(await file.arrayBuffer())]));
      files.forEach(([name, bytes], i) => studio.choose(name, bytes, i + 1 === files.length));
    };
    input.click();
  },
};

async function hasGraphics() {
  const webgpu = await navigator.gpu?.requestAdapter().catch(() => null);
  return Boolean(webgpu || document.createElement('canvas').getContext('webgl2'));
}

async function begin() {
  if (!(await hasGraphics())) {
    return tell('The studio draws with WebGL2 or WebGPU, and this browser offers neither.\nTurn hardware acceleration on in its settings, or try another browser.');
  }
  await init();
  const [mine, others] = await sessions();
  try {
    store = await openStore();
    // what other pages work on may be large, and is theirs
    const isTheirs = (name) => others.some((page) => name.startsWith(`session-${page}-`));
    for (const { name, bytes, when } of (await everything(store)).filter(({ name }) => !isTheirs(name))) studio.put(name, bytes, when);
  } catch (error) {
    store = null;
    refused(error);
  }
  tell('Growing the athlete');
  await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn, 0)));
  await studio.start(document.getElementById('studio'), mine, others);
  tell('');
  // for those who look from outside
  globalThis.fusiform = {
    state: () => JSON.parse(studio.state() ?? 'null'),
    isKept: () => underWay === 0 && globalThis.fusiform.state()?.session?.is_kept,
    widgets: () => JSON.parse(studio.widgets() ?? '[]'),
  };
  addEventListener('beforeunload', (event) => { if (studio.is_unsaved()) event.preventDefault(); });
  const watch = setInterval(() => {
    const why = studio.stopped();
    if (why === undefined) return;
    clearInterval(watch);
    tell(`The studio stopped, which is a defect of this program:\n${why}\n\nLoad the page again: unsaved work is offered back.`);
  }, 500);
}

begin().catch((error) => tell(`The studio cannot begin: ${error?.message ?? error}`));

import { editTogether, openWriter, startServer } from '@rmeet/testkit';
import type { Soak } from '../soak.ts';
import { load, table } from '../table.ts';

const EDITS = 10_000;
const DROP_EVERY = 97;

/** Numbers from 0 to 1 that a seed determines (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Two people type in one document and lose their connections: both have the same text then, and nothing is lost. */
const run: Soak = async ({ count = EDITS, seed = Date.now() }) => {
  const server = await startServer();
  try {
    const [alice, bob] = [await server.api.as('alice'), await server.api.as('bob')];
    const { id: documentId } = await alice.documents.create({ body: { kind: 'minutes', title: 'Together' } });
    const members = [{ userId: bob.user.id, right: 'write' as const }];
    await alice.documents.share({ params: { id: documentId }, body: { members } });
    const writers = [alice, bob].map(({ token }) => openWriter({ origin: server.url, token, documentId }));
    const began = performance.now();
    const { contents, lost, words } = await editTogether(writers, {
      edits: count,
      dropEvery: DROP_EVERY,
      random: randomOf(seed),
    });
    const reader = openWriter({ origin: server.url, token: alice.token, documentId });
    await reader.until(({ phase }) => phase === 'open');
    for (const writer of [...writers, reader]) writer.close();
    const seconds = (performance.now() - began) / 1_000;
    table(['edits', 'drops', 'words', 'lost', 'seconds'])([
      count,
      Math.floor(count / DROP_EVERY),
      words,
      lost.length,
      seconds,
    ]);
    const passed = new Set(contents).size === 1 && lost.length === 0;
    const verdict = passed ? 'same text, nothing lost' : `texts ${new Set(contents).size}, lost ${lost.length}`;
    return { passed, verdict: `${verdict} (seed ${seed}, ${load()})` };
  } finally {
    await server.stop();
  }
};

export default run;

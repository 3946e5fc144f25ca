import { createHash } from 'node:crypto';
import { until, type CallPage } from '@rmeet/testkit';
import { expect, test } from './support.ts';

/** Waits until this number of messages has arrived; returns them. */
async function messages(page: CallPage, count: number): Promise<string[]> {
  await until(`${page.identity} has ${count} messages`, async () => (await page.state()).messages.length >= count);
  return (await page.state()).messages;
}

/** Waits until all participants know each other: a message that arrives earlier has an unknown sender. */
async function acquainted(...pages: CallPage[]): Promise<void> {
  for (const page of pages) {
    await until(`${page.identity} knows the others`, async () => {
      const { remotes } = await page.state();
      return pages.every(({ identity }) => identity === page.identity || identity in remotes);
    });
  }
}

test('reliable messages reach all others, complete and in order', async ({ room }) => {
  const [alice, bob, carol] = [await room.join('alice'), await room.join('bob'), await room.join('carol')];
  await acquainted(alice, bob, carol);
  const texts = Array.from({ length: 300 }, (_, i) => `message ${i}`);
  await alice.run('sendAll', texts, { reliable: true });
  for (const page of [bob, carol])
    expect(await messages(page, 300)).toEqual(texts.map((text) => `alice reliable  ${text}`));
  expect((await alice.state()).messages).toEqual([]);
});

test('lossy messages arrive, none of them twice', async ({ room }) => {
  const [alice, bob] = [await room.join('alice'), await room.join('bob')];
  await acquainted(alice, bob);
  await alice.run(
    'sendAll',
    Array.from({ length: 50 }, (_, i) => `message ${i}`),
    { reliable: false },
  );
  const received = await messages(bob, 45);
  expect(received.every((message) => message.startsWith('alice lossy  message '))).toBe(true);
  expect(new Set(received).size).toBe(received.length);
});

test('a message with destinations reaches only those', async ({ room }) => {
  const [alice, bob, carol] = [await room.join('alice'), await room.join('bob'), await room.join('carol')];
  await acquainted(alice, bob, carol);
  for (const reliable of [true, false])
    await alice.run('send', 'for bob', { reliable, destinationIdentities: ['bob'] });
  await alice.run('send', 'for both', { reliable: true, destinationIdentities: ['bob', 'carol', 'nobody'] });
  await alice.run('send', 'for all', { reliable: true });
  expect((await messages(bob, 4)).toSorted()).toEqual([
    'alice lossy  for bob',
    'alice reliable  for all',
    'alice reliable  for bob',
    'alice reliable  for both',
  ]);
  expect(await messages(carol, 2)).toEqual(['alice reliable  for both', 'alice reliable  for all']);
});

test('topics and 15 KB arrive as they were sent', async ({ room }) => {
  const [alice, bob] = [await room.join('alice'), await room.join('bob')];
  await acquainted(alice, bob);
  const long = 'x'.repeat(15_000);
  await alice.run('send', long, { reliable: true, topic: 'long' });
  await bob.run('send', 'ü€𝄞', { reliable: true, topic: 'ünïcode' });
  expect(await messages(bob, 1)).toEqual([`alice reliable long ${long}`]);
  expect(await messages(alice, 1)).toEqual(['bob reliable ünïcode ü€𝄞']);
});

test('pages and headless participants exchange messages', async ({ room }) => {
  const alice = await room.join('alice');
  const dora = await room.joinHeadless('dora');
  const received: string[] = [];
  await until('alice knows dora', () => alice.knows('dora'));
  dora.on('data', ({ payload, from, topic, reliable }) =>
    received.push(`${from} ${reliable} ${topic} ${new TextDecoder().decode(payload)}`),
  );
  await dora.sendData('hello', { topic: 'chat' });
  expect(await messages(alice, 1)).toEqual(['dora reliable chat hello']);
  await alice.run('send', 'welcome', { reliable: true, topic: 'chat' });
  await until('dora has it', () => received.length === 1);
  expect(received).toEqual(['alice true chat welcome']);
});

test('a long text and a file arrive as streams', async ({ room }) => {
  const [alice, bob, carol] = [await room.join('alice'), await room.join('bob'), await room.join('carol')];
  await acquainted(alice, bob, carol);
  for (const page of [bob, carol]) await page.run('listenToStreams', 'notes');
  const text = Array.from({ length: 8_000 }, (_, i) => `wörd ${i}`).join(' ');
  await alice.run('local', 'sendText', text, { topic: 'notes' });
  const bytes = Array.from({ length: 120_000 }, (_, i) => (i * 31) % 251);
  await alice.run('sendFile', 'report.pdf', bytes, { topic: 'notes', destinationIdentities: ['bob'] });
  const digest = createHash('sha256').update(Uint8Array.from(bytes)).digest('hex');
  await until('bob has both', async () => (await bob.state()).streams.length === 2);
  expect((await bob.state()).streams).toEqual([
    `text alice notes  ${text}`,
    `bytes alice notes report.pdf 120000 ${digest}`,
  ]);
  expect((await carol.state()).streams).toEqual([`text alice notes  ${text}`]);
});

test('a method of a participant is called and answers, a missing one is refused', async ({ room }) => {
  const [alice, bob] = [await room.join('alice'), await room.join('bob')];
  await acquainted(alice, bob);
  await bob.run('answerCalls', 'turn');
  expect(await alice.run('local', 'performRpc', { destinationIdentity: 'bob', method: 'turn', payload: 'abc' })).toBe(
    'alice cba',
  );
  await expect(
    alice.run('local', 'performRpc', { destinationIdentity: 'bob', method: 'missing', payload: '' }),
  ).rejects.toThrow(/not supported/i);
});

test('a participant without permission to send data receives data but sends none', async ({ room }) => {
  const [alice, bob] = [await room.join('alice', { grant: { canPublishData: false } }), await room.join('bob')];
  await acquainted(alice, bob);
  // livekit-client itself refuses in some versions, the engine in all
  await alice.run('send', 'forbidden', { reliable: true }).catch(() => undefined);
  await bob.run('send', 'allowed', { reliable: true });
  expect(await messages(alice, 1)).toEqual(['bob reliable  allowed']);
  const dora = await room.joinHeadless('dora');
  await until('bob knows dora', () => bob.knows('dora'));
  await dora.sendData('marker');
  expect(await messages(bob, 1)).toEqual(['dora reliable  marker']);
});

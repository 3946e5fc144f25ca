import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join as joinPath } from 'node:path';
import { DisconnectReason } from '@livekit/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '../src/index.ts';
import { rates, TokenBucket, type RateName } from '../src/limits.ts';
import { FloodGuard } from '../src/connection/flood-guard.ts';
import { joinToken, startEngine, until } from './support/engine.ts';
import { MediaClient } from './support/media-client.ts';

/** On two cores that also run the flooder and other tests; on an idle machine it is 10 to 60 ms. */
const MAX_DELAY_MS = 1000;

describe('a token bucket', () => {
  it('allows a burst, and then as many as time brings', () => {
    const bucket = new TokenBucket(10, 5, 0);
    expect(Array.from({ length: 7 }, () => bucket.take(1, 0))).toEqual([true, true, true, true, true, false, false]);
    expect([bucket.take(1, 99), bucket.take(1, 100), bucket.take(1, 100)]).toEqual([false, true, false]);
    expect([bucket.take(5, 10_000), bucket.take(1, 10_000)]).toEqual([true, false]);
  });

  it('is not emptied by a request that is too large, nor filled by a clock that goes back', () => {
    const bucket = new TokenBucket(10, 5, 1000);
    expect([bucket.take(6, 1000), bucket.take(5, 1000), bucket.take(1, 0), bucket.take(1, 50)]).toEqual([
      false,
      true,
      false,
      false,
    ]);
  });
});

describe('a flood guard', () => {
  it('reports the first excess once, and then allows nothing of any kind', () => {
    const reported: RateName[] = [];
    const guard = new FloodGuard((what) => reported.push(what));
    for (let count = 0; count < rates.changes.atOnce; count += 1) expect(guard.allows('changes', 1, 0)).toBe(true);
    expect([
      guard.allows('changes', 1, 0),
      guard.allows('changes', 1, 60_000),
      guard.allows('messages', 1, 60_000),
    ]).toEqual([false, false, false]);
    expect(reported).toEqual(['changes']);
  });

  it('allows the permitted steady rates for ever', () => {
    const guard = new FloodGuard((what) => expect(what).toBe('nothing'));
    for (const what of Object.keys(rates) as RateName[]) {
      for (let second = 0; second < 100; second += 1)
        expect(guard.allows(what, rates[what].perSecond, second * 1000)).toBe(true);
    }
  });
});

describe('a flooding client is disconnected with a reason, logged once, and others do not notice', () => {
  const room = 'standup';
  const lines: string[] = [];
  let engine: Engine;
  let alice: MediaClient;
  let bob: MediaClient;
  let sending: NodeJS.Timeout;

  beforeAll(async () => {
    const log = (_level: string, message: string, fields: Record<string, unknown>) => {
      if (fields['identity'] === 'mallory')
        lines.push(`${message} ${typeof fields['what'] === 'string' ? fields['what'] : ''}`);
    };
    engine = await startEngine({ log });
    alice = await new MediaClient(engine.port, await joinToken('alice', room)).connect(true);
    sending = setInterval(() => alice.sendRtp(), 10);
    bob = await new MediaClient(engine.port, await joinToken('bob', room), true).connect();
    await until('bob receives alice', () => bob.flow.packets > 5);
  });
  afterAll(async () => {
    clearInterval(sending);
    alice.leave();
    bob.leave();
    await engine.close();
  });

  it.each<[kind: string, what: RateName]>([
    ['messages', 'messages'],
    ['offers', 'descriptionBytes'],
    ['unreadable messages', 'faults'],
    ['announcements', 'changes'],
    ['mutes', 'changes'],
    ['names', 'changes'],
    ['permissions', 'changes'],
    ['subscriptions', 'subscriptions'],
    ['settings', 'settings'],
    ['reliable data', 'dataBytes'],
    ['lossy data', 'dataMessages'],
    ['unreadable data', 'faults'],
    ['RTP', 'mediaBytes'],
  ])('%s', async (kind, what) => {
    lines.splice(0);
    const token = await joinToken('mallory', room, { canUpdateOwnMetadata: true });
    const flooder = fork(joinPath(import.meta.dirname, 'support', 'flooder.ts'), [String(engine.port), token, kind], {
      execArgv: [],
    });
    try {
      const failed = once(flooder, 'exit').then(() => ['the flooder ended']);
      await Promise.race([once(flooder, 'message'), failed]);
      bob.takeFlow();
      const ended = Promise.race([once(flooder, 'message'), failed]);
      flooder.send('go');
      const [reason] = await ended;
      await until('bob has received for a second', () => bob.flow.packets > 100);
      const flow = bob.takeFlow();
      if (process.env['PRINT_TIMES'] === '1') process.stdout.write(`${kind}: ${JSON.stringify(flow)}\n`);
      expect(flow.lost).toBe(0);
      expect(flow.slowest).toBeLessThan(MAX_DELAY_MS);
      expect(reason).toBe(DisconnectReason.PARTICIPANT_REMOVED);
    } finally {
      flooder.kill('SIGKILL');
    }
    expect(lines.filter((line) => line.startsWith('participant cut off'))).toEqual([
      `participant cut off: too much at once ${what}`,
    ]);
  });
});

import { readFile } from 'node:fs/promises';
import {
  AddTrackRequest,
  SessionDescription,
  SubscriptionPermission,
  TrackPermission,
  TrackSource,
  TrackType,
  UpdateSubscription,
} from '@livekit/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Engine } from '../src/index.ts';
import type { Grants } from '../src/signalling/grants.ts';
import { SubscriptionRules } from '../src/tracks/subscription-rules.ts';
import { joinToken, startEngine, until, type TokenOptions } from './support/engine.ts';
import { dualUrl, RawClient } from './support/raw-client.ts';

const room = 'standup';

describe('subscription rules', () => {
  const somebody = (identity: string, recorder = false) => ({
    sid: `PA_${identity}`,
    identity,
    grants: { recorder } as Grants,
  });
  const of = (trackPermissions: ConstructorParameters<typeof TrackPermission>[0][]) =>
    new SubscriptionPermission({ trackPermissions: trackPermissions.map((rule) => new TrackPermission(rule)) });

  it('allow all by default, then only those they name, by identity or sid, all tracks or some', () => {
    const rules = new SubscriptionRules();
    expect(rules.allows(somebody('bob'), 'TR_a')).toBe(true);
    expect(
      rules.set(
        of([
          { participantIdentity: 'bob', allTracks: true },
          { participantSid: 'PA_carol', trackSids: ['TR_a'] },
        ]),
      ),
    ).toBe(true);
    const allowed = (identity: string) => ['TR_a', 'TR_b'].map((sid) => rules.allows(somebody(identity), sid));
    expect([allowed('bob'), allowed('carol'), allowed('dan')]).toEqual([
      [true, true],
      [true, false],
      [false, false],
    ]);
    expect(rules.allows(somebody('recorder', true), 'TR_b')).toBe(true);
    rules.set(new SubscriptionPermission({ allParticipants: true }));
    expect(allowed('dan')).toEqual([true, true]);
  });

  it('stay as they were when new ones name no participant', () => {
    const rules = new SubscriptionRules();
    rules.set(of([{ participantIdentity: 'bob', allTracks: true }]));
    expect(rules.set(of([{ participantIdentity: 'carol', allTracks: true }, { allTracks: true }]))).toBe(false);
    expect([rules.allows(somebody('bob'), 'TR_a'), rules.allows(somebody('carol'), 'TR_a')]).toEqual([true, false]);
  });
});

describe('in a room', () => {
  let engine: Engine;
  beforeEach(async () => {
    engine = await startEngine();
  });
  afterEach(async () => {
    await engine.close();
  });

  async function join(identity: string, options: TokenOptions = {}, autoSubscribe = true): Promise<RawClient> {
    const url = dualUrl(engine.port, await joinToken(identity, room, options));
    const client = new RawClient(autoSubscribe ? url : url.replace('auto_subscribe=1', 'auto_subscribe=0'));
    await client.message('join');
    return client;
  }

  /** Publishes the camera of a recorded offer; returns its sid. */
  async function publish(client: RawClient): Promise<string> {
    const sdp = await readFile(new URL('fixtures/chromium-v0-publish.sdp', import.meta.url), 'utf8');
    const cid = /a=msid:\S+ (\S+)/.exec(sdp.slice(sdp.indexOf('m=video')))?.[1] ?? '';
    client.send({
      case: 'addTrack',
      value: new AddTrackRequest({ cid, type: TrackType.VIDEO, source: TrackSource.CAMERA }),
    });
    client.send({ case: 'offer', value: new SessionDescription({ type: 'offer', sdp }) });
    await client.message('answer');
    return (await client.message('trackPublished')).track!.sid;
  }

  const told = (client: RawClient) =>
    client.received.flatMap((message) =>
      message.case === 'subscriptionPermissionUpdate' ? [message.value.allowed] : [],
    );
  const knows = (client: RawClient, sid: string) =>
    client.received.some(
      (message) =>
        message.case === 'update' &&
        message.value.participants.some(({ tracks }) => tracks.some((track) => track.sid === sid)),
    );
  const answered = async (client: RawClient) => {
    client.received.splice(0, client.received.length, ...client.received.filter(({ case: kind }) => kind !== 'pong'));
    client.send({ case: 'ping', value: 1n });
    await client.message('pong');
  };

  it('subscribers are notified of their permission when it changes, and only then', async () => {
    const [alice, bob, carol] = [await join('alice'), await join('bob'), await join('carol')];
    const sid = await publish(alice);
    await until('bob knows the track', () => knows(bob, sid));
    const allow = async (identities: string[] | undefined) => {
      const trackPermissions = (identities ?? []).map(
        (participantIdentity) => new TrackPermission({ participantIdentity, allTracks: true }),
      );
      alice.send({
        case: 'subscriptionPermission',
        value: new SubscriptionPermission({ allParticipants: identities === undefined, trackPermissions }),
      });
      await answered(alice);
      await Promise.all([answered(bob), answered(carol)]);
    };
    await allow(['carol']);
    await allow(['carol']);
    expect([told(bob), told(carol)]).toEqual([[false], []]);
    bob.send({ case: 'subscription', value: new UpdateSubscription({ trackSids: [sid], subscribe: true }) });
    await answered(bob);
    expect(told(bob)).toEqual([false]);
    await allow(undefined);
    expect([told(bob), told(carol)]).toEqual([[false, true], []]);
  });

  it('a manual subscriber gets what it asks for; the publisher hears of the first visible one', async () => {
    const alice = await join('alice');
    const ghost = await join('ghost', { hidden: true });
    const bob = await join('bob', {}, false);
    const sid = await publish(alice);
    await until('all know the track', () => knows(ghost, sid) && knows(bob, sid));
    await answered(alice);
    const heard = () => alice.received.filter(({ case: kind }) => kind === 'trackSubscribed').length;
    expect(heard()).toBe(0);
    for (const subscribe of [true, false, true])
      bob.send({ case: 'subscription', value: new UpdateSubscription({ trackSids: [sid], subscribe }) });
    await answered(bob);
    await answered(alice);
    expect(heard()).toBe(1);
  });
});

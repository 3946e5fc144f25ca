import { ParticipantInfo_Kind, RoomConfiguration, TrackSource } from '@livekit/protocol';
import { SignJWT, UnsecuredJWT } from 'jose';
import { AccessToken } from 'livekit-server-sdk';
import { describe, expect, it } from 'vitest';
import { AccessTokens, TokenError } from '../src/signalling/access-token.ts';
import { apiKey, apiSecret, joinToken } from './support/engine.ts';

const tokens = new AccessTokens(apiKey, apiSecret);
const key = new TextEncoder().encode(apiSecret);

function signed(alg = 'HS256'): SignJWT {
  return new SignJWT({ video: { roomJoin: true, room: 'r' } })
    .setProtectedHeader({ alg })
    .setIssuer(apiKey)
    .setSubject('alice')
    .setExpirationTime('60s');
}

describe('access tokens', () => {
  it("give the grants they carry, with LiveKit's defaults", async () => {
    const grants = await tokens.verify(await joinToken('alice', 'r', { name: 'Alice' }));
    expect(grants).toMatchObject({
      identity: 'alice',
      name: 'Alice',
      room: 'r',
      roomJoin: true,
      roomAdmin: false,
      canPublish: true,
      canSubscribe: true,
      canPublishData: true,
      canPublishSources: [],
      hidden: false,
      canUpdateOwnMetadata: false,
      recorder: false,
      agent: false,
      sha256: '',
    });
    const narrow = await tokens.verify(
      await joinToken('bob', 'r', { canPublish: false, canSubscribe: false, canPublishData: false, hidden: true }),
    );
    expect(narrow).toMatchObject({ canPublish: false, canSubscribe: false, canPublishData: false, hidden: true });
    const sources = await tokens.verify(
      await joinToken('bob', 'r', { canPublishSources: [TrackSource.MICROPHONE, TrackSource.SCREEN_SHARE] }),
    );
    expect(sources.canPublishSources).toEqual([TrackSource.MICROPHONE, TrackSource.SCREEN_SHARE]);
  });

  it('carry all other fields that LiveKit puts into them', async () => {
    const token = new AccessToken(apiKey, apiSecret, { identity: 'bot', attributes: { hand: 'up' }, metadata: 'm' });
    token.addGrant({
      roomCreate: true,
      roomList: true,
      roomAdmin: true,
      room: 'r',
      recorder: true,
      agent: true,
      canSubscribeMetrics: true,
      destinationRoom: 'd',
    });
    token.kind = 'agent';
    token.sha256 = 'c3Vt';
    token.roomConfig = new RoomConfiguration({ maxParticipants: 3, metadata: 'room' });
    expect(await tokens.verify(await token.toJwt())).toMatchObject({
      attributes: { hand: 'up' },
      metadata: 'm',
      roomCreate: true,
      roomList: true,
      roomAdmin: true,
      recorder: true,
      agent: true,
      canSubscribeMetrics: true,
      destinationRoom: 'd',
      kind: ParticipantInfo_Kind.AGENT,
      sha256: 'c3Vt',
      roomConfig: { maxParticipants: 3, metadata: 'room' },
    });
  });

  it('without the right to publish also deny sending data, unless they grant it', async () => {
    expect(await tokens.verify(await joinToken('bob', 'r', { canPublish: false }))).toMatchObject({
      canPublishData: false,
    });
    expect(await tokens.verify(await joinToken('bob', 'r', { canPublish: false, canPublishData: true }))).toMatchObject(
      { canPublishData: true },
    );
  });

  it('are accepted for a minute after expiry and before validity, because clocks differ', async () => {
    const late = await signed().setExpirationTime('-30s').sign(key);
    const early = await signed().setNotBefore('30s').sign(key);
    expect([(await tokens.verify(late)).identity, (await tokens.verify(early)).identity]).toEqual(['alice', 'alice']);
  });

  it.each([
    ['another secret', () => signed().sign(new TextEncoder().encode('another-secret-of-32-characters-xx'))],
    ['another issuer', () => signed().setIssuer('else').sign(key)],
    ['expired', () => signed().setExpirationTime('-70s').sign(key)],
    ['not yet valid', () => signed().setNotBefore('70s').sign(key)],
    ['no expiry', () => new SignJWT({}).setProtectedHeader({ alg: 'HS256' }).setIssuer(apiKey).sign(key)],
    ['another algorithm', () => signed('HS512').sign(key)],
    [
      'no signature',
      async () =>
        new UnsecuredJWT({ video: { roomJoin: true, room: 'r' } }).setIssuer(apiKey).setExpirationTime('60s').encode(),
    ],
    [
      'a name that is no text',
      () =>
        new SignJWT({ name: 7 })
          .setProtectedHeader({ alg: 'HS256' })
          .setIssuer(apiKey)
          .setExpirationTime('60s')
          .sign(key),
    ],
    [
      'a grant that is neither true nor false',
      () =>
        new SignJWT({ video: { roomJoin: true, canPublish: 'false' } })
          .setProtectedHeader({ alg: 'HS256' })
          .setIssuer(apiKey)
          .setExpirationTime('60s')
          .sign(key),
    ],
    [
      'grants that are no object',
      () =>
        new SignJWT({ video: [] })
          .setProtectedHeader({ alg: 'HS256' })
          .setIssuer(apiKey)
          .setExpirationTime('60s')
          .sign(key),
    ],
    [
      'sources that are no list',
      () =>
        new SignJWT({ video: { canPublishSources: 'camera' } })
          .setProtectedHeader({ alg: 'HS256' })
          .setIssuer(apiKey)
          .setExpirationTime('60s')
          .sign(key),
    ],
    [
      'more attributes than a participant may have',
      () =>
        new SignJWT({ attributes: Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`a${i}`, ''])) })
          .setProtectedHeader({ alg: 'HS256' })
          .setIssuer(apiKey)
          .setExpirationTime('60s')
          .sign(key),
    ],
    ['rubbish', async () => 'a.b.c'],
  ])('are refused: %s', async (_name, make) => {
    await expect(tokens.verify(await make())).rejects.toThrow(TokenError);
  });

  it('are refreshed with the same grants', async () => {
    const grants = await tokens.verify(
      await joinToken('alice', 'r', { canPublishSources: [TrackSource.CAMERA], canUpdateOwnMetadata: true }),
    );
    const again = await tokens.verify(await tokens.refresh(grants));
    expect({ ...again, expiresAt: 0 }).toEqual({ ...grants, expiresAt: 0 });
    expect(again.expiresAt).toBeGreaterThan(Date.now() / 1000 + 500);
  });

  it('are refreshed with the validity of the first one, if that was longer', async () => {
    const grants = await tokens.verify(await joinToken('alice', 'r', { ttl: 3600 }));
    expect((await tokens.verify(await tokens.refresh(grants))).expiresAt).toBe(grants.expiresAt);
  });
});

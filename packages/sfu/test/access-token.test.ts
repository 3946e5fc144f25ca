import { TrackSource } from '@livekit/protocol';
import { SignJWT, UnsecuredJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { AccessTokens, TokenError } from '../src/signalling/access-token.ts';
import { apiKey, apiSecret, joinToken } from './support/engine.ts';

const tokens = new AccessTokens(apiKey, apiSecret);
const key = new TextEncoder().encode(apiSecret);

function signed(alg = 'HS256'): SignJWT {
  return new SignJWT({ video: { roomJoin: true, room: 'r' } }).setProtectedHeader({ alg }).setIssuer(apiKey).setSubject('alice').setExpirationTime('60s');
}

describe('access tokens', () => {
  it('give the grants they carry, with LiveKit\'s defaults', async () => {
    const grants = await tokens.verify(await joinToken('alice', 'r', { name: 'Alice' }));
    expect(grants).toMatchObject({
      identity: 'alice', name: 'Alice', room: 'r', roomJoin: true, roomAdmin: false, canPublish: true, canSubscribe: true,
      canPublishData: true, canPublishSources: [], hidden: false, canUpdateOwnMetadata: false,
    });
    const narrow = await tokens.verify(await joinToken('bob', 'r', { canPublish: false, canSubscribe: false, canPublishData: false, hidden: true }));
    expect(narrow).toMatchObject({ canPublish: false, canSubscribe: false, canPublishData: false, hidden: true });
    const sources = await tokens.verify(await joinToken('bob', 'r', { canPublishSources: [TrackSource.MICROPHONE, TrackSource.SCREEN_SHARE] }));
    expect(sources.canPublishSources).toEqual([TrackSource.MICROPHONE, TrackSource.SCREEN_SHARE]);
  });

  it.each([
    ['another secret', () => signed().sign(new TextEncoder().encode('another-secret-of-32-characters-xx'))],
    ['another issuer', () => signed().setIssuer('else').sign(key)],
    ['expired', () => signed().setExpirationTime('-60s').sign(key)],
    ['not yet valid', () => signed().setNotBefore('60s').sign(key)],
    ['no expiry', () => new SignJWT({}).setProtectedHeader({ alg: 'HS256' }).setIssuer(apiKey).sign(key)],
    ['another algorithm', () => signed('HS512').sign(key)],
    ['no signature', async () => new UnsecuredJWT({ video: { roomJoin: true, room: 'r' } }).setIssuer(apiKey).setExpirationTime('60s').encode()],
    ['a name that is no text', () => new SignJWT({ name: 7 }).setProtectedHeader({ alg: 'HS256' }).setIssuer(apiKey).setExpirationTime('60s').sign(key)],
    ['rubbish', async () => 'a.b.c'],
  ])('are refused: %s', async (_name, make) => {
    await expect(tokens.verify(await make())).rejects.toThrow(TokenError);
  });

  it('are refreshed with the same grants', async () => {
    const grants = await tokens.verify(await joinToken('alice', 'r', { canPublishSources: [TrackSource.CAMERA], canUpdateOwnMetadata: true }));
    const again = await tokens.verify(await tokens.refresh(grants));
    expect({ ...again, expiresAt: 0 }).toEqual({ ...grants, expiresAt: 0 });
    expect(again.expiresAt).toBeGreaterThan(Date.now() / 1000 + 500);
  });
});

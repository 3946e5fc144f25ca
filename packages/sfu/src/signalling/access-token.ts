import { ParticipantInfo_Kind } from '@livekit/protocol';
import { jwtVerify, SignJWT, type JWTPayload } from 'jose';
import { limits } from '../limits.ts';
import { sourceName, sourceOf, type Grants } from '../rooms/grants.ts';

/** Why a token is refused; the message is safe to send. */
export class TokenError extends Error {}

const REFRESHED_TOKEN_SECONDS = 600;
const kinds = new Map<string, ParticipantInfo_Kind>([
  ['ingress', ParticipantInfo_Kind.INGRESS],
  ['egress', ParticipantInfo_Kind.EGRESS],
  ['sip', ParticipantInfo_Kind.SIP],
  ['agent', ParticipantInfo_Kind.AGENT],
]);

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function text(value: unknown, most: number): string {
  if (value === undefined) return '';
  if (typeof value !== 'string' || value.length > most) throw new TokenError('invalid token: a claim is no text or too long');
  return value;
}

function attributesOf(value: unknown): Record<string, string> {
  if (!isRecord(value)) return {};
  const entries = Object.entries(value).slice(0, limits.attributes);
  return Object.fromEntries(entries.map(([key, item]) => [key, text(item, limits.metadataBytes)]));
}

function grantsOf(payload: JWTPayload): Grants {
  const video = isRecord(payload['video']) ? payload['video'] : {};
  const sources = Array.isArray(video['canPublishSources']) ? video['canPublishSources'] : [];
  const name = text(payload['name'], limits.nameBytes);
  return {
    identity: text(payload.sub, limits.nameBytes),
    name,
    metadata: text(payload['metadata'], limits.metadataBytes),
    attributes: attributesOf(payload['attributes']),
    room: text(video['room'], limits.nameBytes),
    roomJoin: video['roomJoin'] === true,
    roomCreate: video['roomCreate'] === true,
    roomList: video['roomList'] === true,
    roomAdmin: video['roomAdmin'] === true,
    canPublish: video['canPublish'] !== false,
    canSubscribe: video['canSubscribe'] !== false,
    canPublishData: video['canPublishData'] !== false,
    canPublishSources: sources.map((source) => sourceOf(String(source))),
    canUpdateOwnMetadata: video['canUpdateOwnMetadata'] === true,
    hidden: video['hidden'] === true,
    recorder: video['recorder'] === true,
    kind: kinds.get(text(payload['kind'], 32).toLowerCase()) ?? ParticipantInfo_Kind.STANDARD,
    expiresAt: payload.exp ?? 0,
  };
}

/** Checks and makes LiveKit access tokens (JWT, HS256, issuer = API key). */
export class AccessTokens {
  readonly #apiKey: string;
  readonly #key: Uint8Array;

  constructor(apiKey: string, apiSecret: string) {
    this.#apiKey = apiKey;
    this.#key = new TextEncoder().encode(apiSecret);
  }

  /** Rejects with TokenError unless signature, issuer and times are right. */
  async verify(token: string): Promise<Grants> {
    let payload: JWTPayload;
    try {
      const options = { issuer: this.#apiKey, algorithms: ['HS256'], requiredClaims: ['exp'], clockTolerance: 10 };
      ({ payload } = await jwtVerify(token, this.#key, options));
    } catch (error) {
      throw new TokenError(`invalid token: ${error instanceof Error ? error.message : 'unreadable'}`, { cause: error });
    }
    return grantsOf(payload);
  }

  /** A token with the same grants, good for ten minutes, as refreshToken carries it. */
  async refresh(grants: Grants): Promise<string> {
    const kind = [...kinds].find(([, value]) => value === grants.kind)?.[0];
    const claims = {
      name: grants.name,
      metadata: grants.metadata,
      attributes: grants.attributes,
      ...(kind === undefined ? {} : { kind }),
      video: {
        room: grants.room,
        roomJoin: grants.roomJoin,
        roomAdmin: grants.roomAdmin,
        canPublish: grants.canPublish,
        canSubscribe: grants.canSubscribe,
        canPublishData: grants.canPublishData,
        ...(grants.canPublishSources.length > 0 ? { canPublishSources: grants.canPublishSources.map(sourceName) } : {}),
        canUpdateOwnMetadata: grants.canUpdateOwnMetadata,
        hidden: grants.hidden,
        recorder: grants.recorder,
      },
    };
    return await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setIssuer(this.#apiKey)
      .setSubject(grants.identity)
      .setNotBefore('0s')
      .setExpirationTime(`${REFRESHED_TOKEN_SECONDS}s`)
      .sign(this.#key);
  }
}

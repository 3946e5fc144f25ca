import { webcrypto } from 'node:crypto';
import { ParticipantInfo_Kind, ParticipantInfo_KindDetail, RoomConfiguration } from '@livekit/protocol';
import { jwtVerify, SignJWT, type JWTPayload } from 'jose';
import { limits } from '../limits.ts';
import { sourceName, sourceOf, type Grants } from './grants.ts';

/** Why a token is rejected; the message is safe to send. */
export class TokenError extends Error {}

/** LiveKit's own leeway for clocks that differ. */
const LEEWAY_SECONDS = 60;
const REFRESHED_TOKEN_SECONDS = 600;
const REFUSED = 'invalid authorization token';

type Claims = Record<string, unknown>;

function recordOf(value: unknown, claim: string): Claims {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) throw new TokenError(`${REFUSED}: ${claim} is no object`);
  return value as Claims;
}

function text(claims: Claims, claim: string, mostBytes: number): string {
  const value = claims[claim] ?? '';
  if (typeof value !== 'string') throw new TokenError(`${REFUSED}: ${claim} is no text`);
  if (Buffer.byteLength(value) > mostBytes) throw new TokenError(`${REFUSED}: ${claim} is too long`);
  return value;
}

/** Rejects a grant that is neither true nor false instead of guessing: its author meant "false" if it says so. */
function flag(claims: Claims, claim: string, otherwise: boolean): boolean {
  const value = claims[claim] ?? otherwise;
  if (typeof value !== 'boolean') throw new TokenError(`${REFUSED}: ${claim} is neither true nor false`);
  return value;
}

function texts(claims: Claims, claim: string): string[] {
  const value = claims[claim] ?? [];
  if (!Array.isArray(value) || value.length > 32 || !value.every((item) => typeof item === 'string')) {
    throw new TokenError(`${REFUSED}: ${claim} is no list of texts`);
  }
  return value;
}

function attributesOf(payload: Claims): Record<string, string> {
  const claims = recordOf(payload['attributes'], 'attributes');
  const keys = Object.keys(claims);
  if (keys.length > limits.attributes) throw new TokenError(`${REFUSED}: too many attributes`);
  return Object.fromEntries(keys.map((key) => [key, text(claims, key, limits.metadataBytes)]));
}

function kindOf(payload: Claims): ParticipantInfo_Kind {
  const kind = ParticipantInfo_Kind[text(payload, 'kind', 32).toUpperCase() as keyof typeof ParticipantInfo_Kind] as
    | ParticipantInfo_Kind
    | undefined;
  return typeof kind === 'number' ? kind : ParticipantInfo_Kind.STANDARD;
}

function kindDetailsOf(payload: Claims): ParticipantInfo_KindDetail[] {
  const known = ParticipantInfo_KindDetail as unknown as Record<string, unknown>;
  return texts(payload, 'kindDetails').flatMap((word) => {
    const detail = known[word.toUpperCase()];
    return typeof detail === 'number' ? [detail] : [];
  });
}

function roomConfigOf(payload: Claims): RoomConfiguration | undefined {
  if (payload['roomConfig'] === undefined) return undefined;
  try {
    return RoomConfiguration.fromJson(payload['roomConfig'] as never, { ignoreUnknownFields: true });
  } catch (error) {
    throw new TokenError(`${REFUSED}: roomConfig cannot be read`, { cause: error });
  }
}

function grantsOf(payload: JWTPayload): Grants {
  const video = recordOf(payload['video'], 'video');
  const canPublish = flag(video, 'canPublish', true);
  return {
    identity: text(payload, 'sub', limits.nameBytes),
    name: text(payload, 'name', limits.nameBytes),
    metadata: text(payload, 'metadata', limits.metadataBytes),
    attributes: attributesOf(payload),
    room: text(video, 'room', limits.nameBytes),
    roomJoin: flag(video, 'roomJoin', false),
    roomCreate: flag(video, 'roomCreate', false),
    roomList: flag(video, 'roomList', false),
    roomAdmin: flag(video, 'roomAdmin', false),
    destinationRoom: text(video, 'destinationRoom', limits.nameBytes),
    canPublish,
    canSubscribe: flag(video, 'canSubscribe', true),
    canPublishData: flag(video, 'canPublishData', canPublish),
    canPublishSources: texts(video, 'canPublishSources').map(sourceOf),
    canUpdateOwnMetadata: flag(video, 'canUpdateOwnMetadata', false),
    canSubscribeMetrics: flag(video, 'canSubscribeMetrics', false),
    canManageAgentSession: flag(video, 'canManageAgentSession', false),
    hidden: flag(video, 'hidden', false),
    recorder: flag(video, 'recorder', false),
    agent: flag(video, 'agent', false),
    kind: kindOf(payload),
    kindDetails: kindDetailsOf(payload),
    roomConfig: roomConfigOf(payload),
    sha256: text(payload, 'sha256', 64),
    expiresAt: payload.exp ?? 0,
  };
}

function claimsOf(grants: Grants): JWTPayload {
  const kind = ParticipantInfo_Kind[grants.kind].toLowerCase();
  return {
    name: grants.name,
    metadata: grants.metadata,
    attributes: grants.attributes,
    ...(grants.kind === ParticipantInfo_Kind.STANDARD ? {} : { kind }),
    ...(grants.kindDetails.length === 0
      ? {}
      : { kindDetails: grants.kindDetails.map((detail) => ParticipantInfo_KindDetail[detail].toLowerCase()) }),
    ...(grants.roomConfig === undefined ? {} : { roomConfig: grants.roomConfig.toJson() }),
    video: {
      room: grants.room,
      roomJoin: grants.roomJoin,
      roomCreate: grants.roomCreate,
      roomList: grants.roomList,
      roomAdmin: grants.roomAdmin,
      ...(grants.destinationRoom === '' ? {} : { destinationRoom: grants.destinationRoom }),
      canPublish: grants.canPublish,
      canSubscribe: grants.canSubscribe,
      canPublishData: grants.canPublishData,
      ...(grants.canPublishSources.length > 0 ? { canPublishSources: grants.canPublishSources.map(sourceName) } : {}),
      canUpdateOwnMetadata: grants.canUpdateOwnMetadata,
      canSubscribeMetrics: grants.canSubscribeMetrics,
      canManageAgentSession: grants.canManageAgentSession,
      hidden: grants.hidden,
      recorder: grants.recorder,
      agent: grants.agent,
    },
  };
}

/** Checks and creates LiveKit access tokens (JWT, HS256, issuer = API key). */
export class AccessTokens {
  readonly #apiKey: string;
  readonly #key: Promise<webcrypto.CryptoKey>;

  constructor(apiKey: string, apiSecret: string) {
    this.#apiKey = apiKey;
    const algorithm = { name: 'HMAC', hash: 'SHA-256' };
    this.#key = webcrypto.subtle.importKey('raw', new TextEncoder().encode(apiSecret), algorithm, false, [
      'sign',
      'verify',
    ]);
  }

  /** Rejects with TokenError unless signature, issuer and times are valid; clocks may differ by a minute. */
  async verify(token: string): Promise<Grants> {
    let payload: JWTPayload;
    try {
      const options = {
        issuer: this.#apiKey,
        algorithms: ['HS256'],
        requiredClaims: ['exp'],
        clockTolerance: LEEWAY_SECONDS,
      };
      ({ payload } = await jwtVerify(token, await this.#key, options));
    } catch (error) {
      throw new TokenError(`${REFUSED}: ${error instanceof Error ? error.message : 'unreadable'}`, { cause: error });
    }
    return grantsOf(payload);
  }

  /**
   * A token with the same grants, as sent in refreshToken: valid for ten minutes, or as long as the first one if that
   * is longer.
   */
  async refresh(grants: Grants): Promise<string> {
    const expiresAt = Math.max(grants.expiresAt, Math.floor(Date.now() / 1000) + REFRESHED_TOKEN_SECONDS);
    return await this.#sign(new SignJWT(claimsOf(grants)).setSubject(grants.identity).setExpirationTime(expiresAt));
  }

  /** The token that authenticates a webhook's body, with the body's SHA-256 in base64; valid for five minutes. */
  async signBody(sha256: string): Promise<string> {
    return await this.#sign(new SignJWT({ sha256 }).setExpirationTime('5m'));
  }

  async #sign(token: SignJWT): Promise<string> {
    return await token
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setIssuer(this.#apiKey)
      .setNotBefore('0s')
      .sign(await this.#key);
  }
}

import { z } from 'zod';
import { API_BASE } from '../constants.ts';
import { route } from '../http/route.ts';
import { line } from '../line.ts';
import { exampleMeetingId } from '../meetings/meeting-types.ts';

/** Servers that a broadcast can be pushed to by RTMP, by how their addresses are signed. */
export const PUSH_PROVIDERS = ['rtmp', 'aliyun', 'tencent'] as const;
export type PushProvider = (typeof PUSH_PROVIDERS)[number];

/** How many servers one broadcast is pushed to. */
export const PUSH_TARGETS = 5;

/** `idle`: the broadcast is not on air; `refused`: the server does not take the stream; `lost`: it is not reached. */
export const PUSH_STATES = ['idle', 'connecting', 'live', 'refused', 'lost'] as const;

/** `rtmp://` or `rtmps://` with an application and a stream: the server's address and key, or both in one. */
export const rtmpAddress = z
  .string()
  .trim()
  .max(1_000)
  .regex(/^rtmps?:\/\/[^\s/]+\/[^\s/]+\/\S+$/i);
/** Of a provider, to watch the stream there. */
const playAddress = z.union([z.literal(''), z.url({ protocol: /^(https?|rtmps?)$/ }).max(1_000)]);

const targetFields = {
  name: line().min(1).max(60),
  provider: z.enum(PUSH_PROVIDERS),
  /** Where it is pushed to; for Aliyun and Tencent without the signature. */
  address: rtmpAddress,
  /** Where viewers of the provider watch; for Aliyun and Tencent without the signature. Empty: unknown. */
  play: playAddress.default(''),
};

/** A server that the broadcast is pushed to while it is on air. */
export const pushTarget = z.object({
  ...targetFields,
  id: z.uuid(),
  play: z.string(),
  /** A key that addresses are signed with is stored. */
  hasKey: z.boolean(),
  state: z.enum(PUSH_STATES),
  /** What the server or the network said, after a failure; else empty. */
  reason: z.string(),
  /** The addresses as they are used now, signed; they contain secrets. */
  push: z.string(),
  watch: z.string(),
});
export type BroadcastPushTarget = z.infer<typeof pushTarget>;

const targetBody = z.object({
  ...targetFields,
  /** Of one that is kept; without it, it is a new one. */
  id: z.uuid().optional(),
  /** The provider's key for signing; an omitted one stays. Required for a new one of Aliyun and Tencent. */
  key: z.string().min(1).max(200).optional(),
});
export type BroadcastPushTargetBody = z.input<typeof targetBody>;

/** Where an encoder sends the stream of a manual live broadcast. The key is a secret. */
const ingestAddresses = z.object({
  /** For RTMP: server and key, as encoders ask for them; null: no port takes streams. */
  rtmp: z.object({ server: z.string(), key: z.string() }).nullable(),
  /** For WHIP (RFC 9725): address and bearer token. */
  whip: z.object({ address: z.url(), token: z.string() }),
});
export type IngestAddresses = z.infer<typeof ingestAddresses>;

const providerConfig = z.object({
  provider: z.literal('own'),
  /** Null: the programme of a conference is broadcast, or the stream is taken from an address. */
  ingest: ingestAddresses.nullable(),
  /** The watch page, and the playlist for players: with a signature that is renewed with this call. */
  play: z.object({ page: z.url(), hls: z.url() }),
  push: z.array(pushTarget),
});
export type ProviderConfig = z.infer<typeof providerConfig>;

const id = exampleMeetingId;
const exampleTarget: BroadcastPushTarget = {
  id,
  name: 'Town channel',
  provider: 'rtmp',
  address: 'rtmps://live.example.org/app/stream-key',
  play: '',
  hasKey: false,
  state: 'live',
  reason: '',
  push: 'rtmps://live.example.org/app/stream-key',
  watch: '',
};
const exampleConfig: ProviderConfig = {
  provider: 'own',
  ingest: null,
  play: {
    page: `https://meet.example.org/#/live/${id}`,
    hls: `https://meet.example.org/api/api/v1/live/watch/${id}/playlist.m3u8?sign=u.1795000000.n3Zc`,
  },
  push: [exampleTarget],
};
const input = { params: z.object({ id: z.uuid() }) };

/** Where a broadcast is played and pushed to. */
export const liveProviders = {
  providerConfig: route({
    method: 'GET',
    path: `${API_BASE}/meetings/live/providerconfig/:id`,
    summary: "Ingest, play and push addresses of a meeting's broadcast, for those who manage it.",
    callers: ['user'],
    input,
    data: providerConfig,
    errors: [],
    example: { params: { id }, data: exampleConfig },
  }),
  setPushTargets: route({
    method: 'PUT',
    path: `${API_BASE}/meetings/live/providerconfig/:id`,
    summary:
      'Says to which servers the broadcast is pushed, also while it is on air. Those that are omitted are left. ' +
      'PUSH_KEY_REQUIRED: addresses of Aliyun and Tencent are signed with a key.',
    callers: ['user'],
    permission: 'sys:switchLiveResource',
    audit: true,
    input: { ...input, body: z.object({ targets: z.array(targetBody).max(PUSH_TARGETS) }) },
    data: providerConfig,
    errors: ['PUSH_KEY_REQUIRED', 'PUSH_ADDRESS_REFUSED'],
    example: {
      params: { id },
      body: { targets: [{ name: 'Town channel', provider: 'rtmp', address: exampleTarget.address }] },
      data: exampleConfig,
    },
  }),
};

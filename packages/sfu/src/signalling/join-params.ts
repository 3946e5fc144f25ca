import { gunzipSync } from 'node:zlib';
import {
  ClientInfo,
  ClientInfo_Capability,
  ClientInfo_SDK,
  JoinRequest as JoinRequestMessage,
  WrappedJoinRequest,
  WrappedJoinRequest_Compression,
} from '@livekit/protocol';
import { limits } from '../limits.ts';
import type { JoinRequest } from './join-request.ts';

const sdks: Record<string, ClientInfo_SDK> = {
  js: ClientInfo_SDK.JS,
  swift: ClientInfo_SDK.SWIFT,
  android: ClientInfo_SDK.ANDROID,
  flutter: ClientInfo_SDK.FLUTTER,
  go: ClientInfo_SDK.GO,
  unity: ClientInfo_SDK.UNITY,
  reactnative: ClientInfo_SDK.REACT_NATIVE,
  rust: ClientInfo_SDK.RUST,
  python: ClientInfo_SDK.PYTHON,
  cpp: ClientInfo_SDK.CPP,
  unityweb: ClientInfo_SDK.UNITY_WEB,
  node: ClientInfo_SDK.NODE,
  esp32: ClientInfo_SDK.ESP32,
};

function capabilitiesOf(names: string): ClientInfo_Capability[] {
  const known = ClientInfo_Capability as unknown as Record<string, unknown>;
  return names.split(',').flatMap((name) => {
    const capability = known[name.trim()];
    return typeof capability === 'number' ? [capability] : [];
  });
}

/** `attributes`: base64url of a JSON object of texts. Unreadable ones are ignored, as in LiveKit. */
function attributesOf(encoded: string): Record<string, string> {
  try {
    const value: unknown = JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8'));
    if (typeof value !== 'object' || value === null) return {};
    return Object.fromEntries(
      Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    );
  } catch {
    return {};
  }
}

/**
 * Parses `/rtc/v1?join_request=`: base64url of a WrappedJoinRequest, optionally gzipped. Throws if it is unreadable.
 */
export function readJoinRequest(query: URLSearchParams): JoinRequest {
  const wrapped = WrappedJoinRequest.fromBinary(Buffer.from(query.get('join_request') ?? '', 'base64url'));
  const bytes =
    wrapped.compression === WrappedJoinRequest_Compression.GZIP
      ? gunzipSync(wrapped.joinRequest, { maxOutputLength: limits.joinRequestInflatedBytes })
      : wrapped.joinRequest;
  const message = JoinRequestMessage.fromBinary(bytes);
  return {
    dual: false,
    reconnect: message.reconnect,
    participantSid: message.participantSid,
    autoSubscribe: message.connectionSettings?.autoSubscribe ?? true,
    client: message.clientInfo,
    offer: message.publisherOffer,
    addTracks: message.addTrackRequests.slice(0, limits.tracksPerParticipant),
    attributes: message.participantAttributes,
    metadata: message.metadata,
  };
}

/** Parses the query of `/rtc`, the older endpoint. */
export function readQuery(query: URLSearchParams): JoinRequest {
  const isOn = (name: string, otherwise: boolean) => {
    const value = query.get(name);
    return value === null ? otherwise : value === '1' || value === 'true';
  };
  return {
    dual: true,
    reconnect: isOn('reconnect', false),
    participantSid: query.get('sid') ?? '',
    autoSubscribe: isOn('auto_subscribe', true),
    client: new ClientInfo({
      sdk: sdks[query.get('sdk') ?? ''] ?? ClientInfo_SDK.UNKNOWN,
      version: (query.get('version') ?? '').slice(0, 64),
      protocol: Number(query.get('protocol') ?? 0) || 0,
      clientProtocol: Number(query.get('client_protocol') ?? 0) || 0,
      capabilities: capabilitiesOf(query.get('capabilities') ?? ''),
    }),
    offer: undefined,
    addTracks: [],
    attributes: attributesOf(query.get('attributes') ?? ''),
    metadata: '',
  };
}

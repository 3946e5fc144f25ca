import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { smsGateway, type SmsGateway } from '@rmeet/contract/sms-gateway';
import { z } from 'zod';
import { ConfigError } from './error.ts';

const port = (lowest: number) =>
  z
    .string()
    .regex(/^\d{1,5}$/, 'must be a port number')
    .transform(Number)
    .refine((n) => n >= lowest && n <= 65_535, `must be between ${lowest} and 65535`);
const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
);
const count = (digits: number, least: number) =>
  z
    .string()
    .regex(new RegExp(`^\\d{1,${digits}}$`), 'must be a number')
    .transform(Number)
    .refine((n) => n >= least, `must be ${least} at least`);
const urlOf = (protocols: string[], hint: string) =>
  z.string().refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), hint);
const address = z.string().refine((text) => isIP(text) !== 0, 'must be an IP address');

/** The address of clamd: a path begins with a slash. */
function clamdOf(text: string | undefined): Config['clamd'] {
  if (text === undefined || text.startsWith('/')) return text === undefined ? undefined : { path: text };
  const at = text.lastIndexOf(':');
  return { host: text.slice(0, at).replace(/^\[|\]$/g, ''), port: Number(text.slice(at + 1)) };
}

const MOST_PROCESSES = 64;
/** Names of media zones. */
const ZONE_ID = /^[a-z0-9][a-z0-9-]{0,29}$/;

const mediaZones = z
  .array(
    z.strictObject({
      id: z
        .string()
        .regex(ZONE_ID, 'must be small letters, digits and hyphens, 30 at most')
        .refine((id) => id !== 'local', "must not be local, which is this server's own"),
      name: z.string().min(1).max(60),
      url: urlOf(['ws:', 'wss:', 'http:', 'https:'], 'must begin with ws://, wss://, http:// or https://'),
      key: z.string().min(1),
      secret: z.string().min(1),
    }),
    'must be a JSON list of zones',
  )
  .max(20)
  .refine(
    (zones) => new Set(zones.map(({ id }) => id)).size === zones.length,
    'must have a different id for each zone',
  );

/** Every setting, by its environment variable. An empty value counts as missing. */
const settings = z.object({
  RMEET_HOST: z
    .string()
    .max(253)
    .regex(/^[0-9A-Za-z.:-]+$/, 'must be a host name or an IP address')
    .default('127.0.0.1'),
  RMEET_PORT: port(0).default(3000),
  RMEET_DATA: z.string().default('./data'),
  RMEET_MEDIA_PORT: port(0).default(7882),
  /** Media by TCP, for networks without UDP: on the media ports, and on the web port. */
  RMEET_MEDIA_TCP: z.enum(['on', 'off'], 'must be on or off').default('on'),
  /**
   * The port by which the web port is reached for media by TCP, or `off`. Default: RMEET_PORT, unless an HTTP proxy is
   * in front or only this machine can reach the server.
   */
  RMEET_MEDIA_WEB_PORT: z
    .string()
    .regex(/^(?:off|[1-9]\d{0,4})$/, 'must be a port number or off')
    .refine((text) => text === 'off' || Number(text) <= 65_535, 'must be between 1 and 65535')
    .optional(),
  /** Media processes; default: one per core. */
  RMEET_MEDIA_PROCESSES: z
    .string()
    .regex(/^\d{1,2}$/, 'must be a number')
    .transform(Number)
    .refine((n) => n >= 1 && n <= MOST_PROCESSES, `must be between 1 and ${MOST_PROCESSES}`)
    .optional(),
  /** How long a media process that is being replaced waits for its conferences to end, in minutes. */
  RMEET_DRAIN_MINUTES: count(4, 0).default(60),
  /** The capacity of one media process: participants, and media in and out in Mbit/s. */
  RMEET_MEDIA_PARTICIPANTS: count(5, 1).optional(),
  RMEET_MEDIA_MBITS: count(6, 1).optional(),
  /** `recorder`: this machine only records conferences of servers elsewhere, which have the same database. */
  RMEET_ROLE: z.enum(['all', 'recorder'], 'must be all or recorder').default('all'),
  /** Recorder processes, which run while something is recorded; 0 leaves recording to other machines. */
  RMEET_RECORDERS: count(2, 0).default(1),
  /** How long a recorder process stays without anything to record. */
  RMEET_RECORDER_IDLE_SECONDS: count(4, 1).default(60),
  /** How many VP8 cameras on air one process converts at once, where there is ffmpeg; 0: none. */
  RMEET_RECORDER_CONVERSIONS: count(2, 0).default(2),
  /** Where servers on other machines reach the first recorder process here; the others have the next ports. */
  RMEET_RECORDER_LIVE_URL: z
    .string()
    .refine((text) => isOrigin(text) && new URL(text).protocol === 'http:', 'must be an http:// address without a path')
    .optional(),
  RMEET_PUBLIC_IP: address.optional(),
  /** The public addresses of this server, separated by commas; the first one is used in mails. */
  RMEET_PUBLIC_URL: list
    .pipe(
      z
        .array(
          z
            .string()
            .refine(isOrigin, 'must be http:// or https:// addresses without a path, separated by commas')
            .transform(originIn),
        )
        .min(1, 'must name an address'),
    )
    .optional(),
  RMEET_TURN_URLS: list
    .pipe(z.array(z.string().regex(/^turns?:[^\s,]+$/, 'must be turn: or turns: addresses, separated by commas')))
    .optional(),
  RMEET_TURN_SECRET: z.string().optional(),
  /** Servers that receive webhooks of the embedded engine, and the key pair that signs them. */
  RMEET_WEBHOOK_URLS: list
    .pipe(z.array(urlOf(['http:', 'https:'], 'must be http:// or https:// addresses, separated by commas')).max(8))
    .optional(),
  RMEET_WEBHOOK_API_KEY: z.string().optional(),
  RMEET_WEBHOOK_API_SECRET: z.string().min(32, 'must be 32 characters or longer').optional(),
  RMEET_TLS_CERT: z.string().optional(),
  RMEET_TLS_KEY: z.string().optional(),
  /** Reverse proxies whose X-Forwarded headers are trusted: addresses or networks, separated by commas. */
  RMEET_TRUSTED_PROXIES: list
    .pipe(z.array(z.string().refine(isNetwork, 'must be IP addresses or networks, separated by commas')))
    .optional(),
  /** The token Prometheus sends for /metrics; without one, only this machine can read them. */
  RMEET_METRICS_TOKEN: z
    .string()
    .regex(/^[!-~]{16,500}$/, 'must be 16 visible ASCII characters or more')
    .optional(),
  RMEET_SECRET_KEY: z
    .string()
    .refine((text) => Buffer.from(text, 'base64').length === 32, 'must be 32 bytes in base64')
    .optional(),
  RMEET_SEED: z.enum(['demo', 'none'], 'must be demo or none').optional(),
  RMEET_CONFERENCE_CAPACITY: z
    .string()
    .regex(/^\d{1,5}$/, 'must be a number')
    .transform(Number)
    .refine((n) => n >= 2 && n <= 10_000, 'must be between 2 and 10000')
    .default(300),
  /** The folder for scheduled backups; without it, none are made. */
  RMEET_BACKUP_FOLDER: z.string().optional(),
  RMEET_BACKUP_SCHEDULE: z
    .string()
    .regex(/^(\S+ ){4}\S+$/, 'must be a cron expression of five fields')
    .default('30 2 * * *'),
  RMEET_BACKUP_KEEP: count(4, 1).default(14),
  /** Where scheduled backups copy new files of recordings: a folder, or a bucket at RMEET_S3_ENDPOINT. */
  RMEET_BACKUP_FILES: z
    .string()
    .regex(/^(?!s3:)|^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/.*)?$/, 'must be a folder, or s3://bucket/prefix')
    .optional(),
  /** The mail server, with account name and password if it requires them; without it, no mail is sent. */
  RMEET_SMTP_URL: urlOf(['smtp:', 'smtps:'], 'must begin with smtp:// or smtps://').optional(),
  /** The sender of mail: an address, optionally with a name before it. */
  RMEET_MAIL_FROM: z
    .string()
    .max(320)
    .regex(
      /^(?:[^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/,
      'must be an address, or a name with an address in angle brackets',
    )
    .optional(),
  /**
   * The gateway for text messages of tenants without their own: JSON with url, method, headers, body, successPath,
   * successValue.
   */
  RMEET_SMS_GATEWAY: z.string().transform(gatewayIn).pipe(smsGateway).optional(),
  /** The value for {secret} there. */
  RMEET_SMS_SECRET: z
    .string()
    .regex(/^[^\r\n\0]*$/, 'must be one line')
    .optional(),
  /** Hosts inside the network that tenants' gateways may use, with or without a port, separated by commas. */
  RMEET_SMS_HOSTS: list.default([]),
  /** Hosts inside the network that may be push services of browsers, with or without a port, separated by commas. */
  RMEET_WEB_PUSH_HOSTS: list.default([]),
  /** Hosts inside the network that broadcasts may be pushed to. */
  RMEET_PUSH_HOSTS: list.default([]),
  /** Hosts inside the network that may be identity providers of tenants, with or without a port; http is allowed. */
  RMEET_SSO_HOSTS: list.default([]),
  /** Hosts inside the network that revocation lists of tenants' certificate authorities may be fetched from. */
  RMEET_CERTIFICATE_HOSTS: list.default([]),
  /** Where local agents with certificates (UKey) answer on the computers of people. */
  RMEET_CERTIFICATE_AGENT: z
    .string()
    .regex(/^http:\/\/(?:127\.0\.0\.1|localhost):\d{2,5}$/, 'must be http://127.0.0.1 or http://localhost with a port')
    .optional(),
  /** Where the virus scanner clamd listens, for meeting files: host:port, or the path of a Unix socket. */
  RMEET_CLAMD: z
    .string()
    .max(300)
    .regex(/^(?:[^\s/:]+:\d{1,5}|\[[0-9a-f:.]+\]:\d{1,5}|\/\S+)$/i, 'must be host:port or the path of a Unix socket')
    .optional(),
  /** The program of LibreOffice that converts office files to PDF. */
  RMEET_SOFFICE: z
    .string()
    .max(300)
    .regex(/^\/\S+$/, 'must be the path of a program')
    .optional(),
  /** The header in which trusted proxies pass the certificate of a client on, and the secret that they send with it. */
  RMEET_CLIENT_CERT_HEADER: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,60}$/, 'must be the name of a header')
    .optional(),
  RMEET_CLIENT_CERT_SECRET: z
    .string()
    .regex(/^[\x21-\x7e]{16,200}$/, 'must have 16 to 200 characters, without spaces')
    .optional(),
  /** Hosts inside the network that may be directories of tenants; to these, connections may be unencrypted. */
  RMEET_DIRECTORY_HOSTS: list.default([]),
  /** Hosts inside the network that webhooks of tenants may call. */
  RMEET_EVENT_HOSTS: list.default([]),
  /** Hosts that may be language models inside the network, or outside pages, of the assistant; http is allowed. */
  RMEET_ASSISTANT_HOSTS: list
    .pipe(
      z.array(
        z
          .string()
          .regex(
            /^(?:[a-z\d.-]+|\[[\da-f:]+\])(?::\d{1,5})?$/i,
            'must be hosts, with or without a port, separated by commas',
          ),
      ),
    )
    .default([]),
  /** How long names of viewers of broadcasts, and what they wrote, are kept. */
  RMEET_VIEWER_DAYS: count(4, 1).default(180),
  /** A CDN or a caching proxy in front of this server, for public broadcasts. */
  RMEET_LIVE_CDN_URL: z.string().refine(isOrigin, 'must be an http:// or https:// address without a path').optional(),
  /** The TCP port for encoders that send outside streams by RTMP; 0: none. */
  RMEET_INGEST_PORT: count(5, 0).default(1935),
  /** Where encoders send outside streams by RTMP, if that is not the port of this server's own machine. */
  RMEET_INGEST_URL: z
    .string()
    .max(500)
    .regex(/^rtmps?:\/\/[^\s/]+\/[^\s?#]+$/i, 'must be an rtmp:// or rtmps:// address with an application')
    .optional(),
  /** The UDP ports for encoders that send outside streams by WHIP: one for each. */
  RMEET_WHIP_PORTS: z
    .string()
    .regex(/^\d{4,5}-\d{4,5}$/, 'must be two ports, such as 7950-7999')
    .transform((text): readonly [first: number, last: number] => {
      const [first = 0, last = 0] = text.split('-').map(Number);
      return [first, last];
    })
    .refine(
      ([first, last]) => first >= 1_024 && first <= last && last <= 65_535,
      'must be the first and last of a range',
    )
    .optional(),
  /** The bucket for stored files; without it, they are in the data folder. */
  RMEET_S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket')
    .optional(),
  RMEET_S3_ENDPOINT: z.string().refine(isOrigin, 'must be an http:// or https:// address without a path').optional(),
  /** The address of the same server for browsers. */
  RMEET_S3_PUBLIC_URL: z.string().refine(isOrigin, 'must be an http:// or https:// address without a path').optional(),
  RMEET_S3_REGION: z
    .string()
    .regex(/^[0-9A-Za-z-]{1,60}$/, 'must be letters, digits and hyphens')
    .default('us-east-1'),
  RMEET_S3_KEY: z.string().optional(),
  RMEET_S3_SECRET: z.string().optional(),
  /** A file whose only line is the secret. */
  RMEET_S3_SECRET_FILE: z.string().optional(),
  /** The folder in the bucket. */
  RMEET_S3_PREFIX: z
    .string()
    .regex(/^[0-9A-Za-z_-][0-9A-Za-z._-]*(\/[0-9A-Za-z_-][0-9A-Za-z._-]*)*\/?$/, 'must be a folder, as in a/b')
    .optional(),
  RMEET_S3_ADDRESSING: z.enum(['path', 'host'], 'must be path or host').default('path'),
  /** How the embedded engine sends media: by itself, or by libdatachannel; `auto`: by itself where it can. */
  RMEET_MEDIA_TRANSPORT: z
    .enum(['auto', 'native', 'datachannel'], 'must be auto, native or datachannel')
    .default('auto'),
  RMEET_SIGNALLING: z.enum(['v0', 'v1'], 'must be v0 or v1').default('v1'),
  RMEET_LOG: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'], 'must be trace, debug, info, warn, error or silent')
    .default('info'),
  DATABASE_URL: urlOf(['postgres:', 'postgresql:'], 'must begin with postgres://').optional(),
  LIVEKIT_URL: urlOf(
    ['ws:', 'wss:', 'http:', 'https:'],
    'must begin with ws://, wss://, http:// or https://',
  ).optional(),
  LIVEKIT_API_KEY: z.string().optional(),
  LIVEKIT_API_SECRET: z.string().optional(),
  /**
   * Further media zones, in addition to this server's own: a JSON list of LiveKit-protocol engines, each with id, name,
   * url, key, secret.
   */
  RMEET_MEDIA_ZONES: z.string().transform(jsonIn).pipe(mediaZones).optional(),
});

/** A setting in JSON; invalid JSON stays text, which the schema rejects. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The gateway in JSON, with defaults for optional fields. */
function gatewayIn(text: string): unknown {
  try {
    return {
      method: 'POST',
      headers: [],
      body: '',
      successPath: '',
      successValue: '',
      ...(JSON.parse(text) as object),
    };
  } catch {
    return text; // rejected by the schema
  }
}

/** A web address of a server only: no path, account, query or fragment. Names outside ASCII are allowed (IDNA). */
function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, pathname, search, hash, username, password, hostname } = new URL(text);
  return (
    ['http:', 'https:'].includes(protocol) &&
    pathname === '/' &&
    `${search}${hash}${username}${password}` === '' &&
    !text.includes('#') &&
    !text.includes('?') &&
    hostname !== ''
  );
}

function originIn(text: string): string {
  return new URL(text).origin;
}

function isNetwork(text: string): boolean {
  const [base = '', bits, ...rest] = text.split('/');
  const version = isIP(base);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

export interface Config {
  host: string;
  /** Whether only this machine can reach the server; if so it uses http, else https. */
  isLoopback: boolean;
  /** Whether other machines can reach the server: by its address, or through a reverse proxy on this machine. */
  isReachable: boolean;
  port: number;
  dataFolder: string;
  /** An external PostgreSQL server; undefined for the embedded one in the data folder. */
  databaseUrl: string | undefined;
  /** A LiveKit cluster; undefined for the embedded engine. */
  livekit: { url: string; apiKey: string; apiSecret: string } | undefined;
  /** Media zones in addition to this server's own. */
  mediaZones: { id: string; name: string; url: string; key: string; secret: string }[];
  media: {
    /** UDP port of the first media process; the others use the following ports. 0 for free ones. */
    udpPort: number;
    processes: number;
    drainMinutes: number;
    /** Capacity of each process; bit/s. */
    capacity: { participants?: number; bitrate?: number };
    publicIp: string | undefined;
    /** Whether media may come by TCP. */
    tcp: boolean;
    /** The port on which browsers reach the web port for media by TCP; 0: the one it has; undefined: they do not. */
    webPort: number | undefined;
    /** The address that the web port is bound to, where it is not every one. */
    webAddress: string | undefined;
    turn: { urls: string[]; secret: string } | undefined;
    webhooks: { urls: string[]; apiKey: string; apiSecret: string } | undefined;
    disableV1: boolean;
    transport: 'auto' | 'native' | 'datachannel';
  };
  role: 'all' | 'recorder';
  recorders: { processes: number; idleSeconds: number; conversions: number; liveUrl: string | undefined };
  /** PEM files; undefined for a self-signed pair. */
  tls: { certFile: string; keyFile: string } | undefined;
  trustedProxies: string[];
  /**
   * The addresses this server answers to, each as an origin (`https://meet.example.org`), the one for mails first; if
   * empty, every address.
   */
  publicUrls: string[];
  /** The token required to read /metrics; only this machine does not need it. */
  metricsToken: string | undefined;
  secretKey: string | undefined;
  /** An S3 server, and the bucket for stored files; they are in the data folder without a bucket. */
  s3:
    | {
        endpoint: string;
        publicEndpoint: string | undefined;
        region: string;
        bucket: string | undefined;
        accessKey: string;
        secret: string;
        prefix: string;
        addressing: 'path' | 'host';
      }
    | undefined;
  /**
   * Scheduled backups (cron, UTC), of which the newest `keep` are kept; none if undefined. `files`: where files of
   * recordings are copied, as after `--files`.
   */
  backups: { folder: string; schedule: string; keep: number; files: string | undefined } | undefined;
  /** The mail server's URL, which may contain a password, and the sender; mail cannot be sent if undefined. */
  mail: { url: string; from: string } | undefined;
  /** The gateway for tenants without their own, and hosts inside the network that their gateways may use. */
  sms: { gateway: (SmsGateway & { secret: string }) | null; hosts: string[] };
  /** Hosts inside the network that may be push services of browsers. */
  webPush: { hosts: string[] };
  pushHosts: string[];
  ssoHosts: string[];
  /** Hosts inside the network that revocation lists may be fetched from. */
  certificateHosts: string[];
  /** Where local agents with certificates answer; undefined: none are used. */
  certificateAgent: string | undefined;
  /** Where clamd listens; undefined: meeting files are not scanned. */
  clamd: { host: string; port: number } | { path: string } | undefined;
  /** The program that converts office files; undefined: they are not shown. */
  soffice: string | undefined;
  /** How trusted proxies pass certificates of clients on; undefined: they do not. */
  passedCertificates: { header: string; secret: string } | undefined;
  /** Hosts inside the network that may be directories of tenants. */
  directoryHosts: string[];
  /** Hosts inside the network that webhooks of tenants may call. */
  eventHosts: string[];
  /** Hosts that may be language models inside the network, or outside pages, of the assistant. */
  assistantHosts: string[];
  viewerDays: number;
  /** Where pages play public broadcasts; null: at this server. */
  liveCdnUrl: string | null;
  /** Where encoders connect by RTMP; 0: nowhere. */
  ingestPort: number;
  /** Where encoders send outside streams by RTMP; undefined: to the port of this machine. */
  ingestUrl: string | undefined;
  /** UDP ports for encoders that send by WHIP, first and last one; undefined: any. */
  whipPorts: readonly [first: number, last: number] | undefined;
  /** `auto`: demo data if the database is empty and only this machine can reach the server. */
  seed: 'demo' | 'none' | 'auto';
  /** Maximum number of terminals in a conference. */
  conferenceCapacity: number;
  logLevel: string;
}

type Settings = z.output<typeof settings>;
type Name = keyof Settings;

/** Settings that are only valid together. */
const TOGETHER: Name[][] = [
  ['LIVEKIT_URL', 'LIVEKIT_API_KEY', 'LIVEKIT_API_SECRET'],
  ['RMEET_TURN_URLS', 'RMEET_TURN_SECRET'],
  ['RMEET_WEBHOOK_URLS', 'RMEET_WEBHOOK_API_KEY', 'RMEET_WEBHOOK_API_SECRET'],
  ['RMEET_TLS_CERT', 'RMEET_TLS_KEY'],
  ['RMEET_CLIENT_CERT_HEADER', 'RMEET_CLIENT_CERT_SECRET'],
  ['RMEET_S3_ENDPOINT', 'RMEET_S3_KEY'],
  ['RMEET_SMTP_URL', 'RMEET_MAIL_FROM'],
];

function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

const SECRET = /SECRET|KEY|METRICS_TOKEN|DATABASE_URL|SMTP_URL|WEBHOOK_URLS|SMS_GATEWAY|MEDIA_ZONES/;

/** Groups of settings of which some are given and others are missing. */
function incompleteGroups(given: Record<string, string>): string[] {
  return TOGETHER.flatMap((names) => {
    const missing = names.filter((name) => given[name] === undefined);
    if (missing.length === 0 || missing.length === names.length) return [];
    const set = names.filter((name) => !missing.includes(name));
    return [`${missing.join(' and ')} must be set too, because ${set.join(' and ')} is.`];
  });
}

/** A bucket without a server, or a server without a secret. */
function incompleteS3(given: Record<string, string>): string[] {
  const { RMEET_S3_BUCKET: bucket, RMEET_S3_ENDPOINT: endpoint, RMEET_S3_PUBLIC_URL: publicUrl } = given;
  const hasSecret = ['RMEET_S3_SECRET', 'RMEET_S3_SECRET_FILE'].some((name) => given[name] !== undefined);
  if (endpoint === undefined && (bucket ?? publicUrl) !== undefined)
    return [`RMEET_S3_ENDPOINT must be set too, because ${bucket ? 'RMEET_S3_BUCKET' : 'RMEET_S3_PUBLIC_URL'} is.`];
  if (endpoint !== undefined && !hasSecret)
    return ['RMEET_S3_SECRET or RMEET_S3_SECRET_FILE must be set too, because RMEET_S3_ENDPOINT is.'];
  return [];
}

/** A place for copies of recordings, without backups or without its S3 server. */
function incompleteBackups(given: Record<string, string>): string[] {
  const { RMEET_BACKUP_FILES: files, RMEET_BACKUP_FOLDER: folder, RMEET_S3_ENDPOINT: endpoint } = given;
  if (files === undefined) return [];
  return [
    ...(folder === undefined ? ['RMEET_BACKUP_FOLDER must be set too, because RMEET_BACKUP_FILES is.'] : []),
    ...(files.startsWith('s3://') && endpoint === undefined
      ? ['RMEET_S3_ENDPOINT must be set too, because RMEET_BACKUP_FILES is a bucket.']
      : []),
  ];
}

/** What a machine that only records has to know of the servers elsewhere. */
const OF_RECORDERS: Name[] = ['DATABASE_URL', 'LIVEKIT_URL', 'RMEET_PUBLIC_URL', 'RMEET_S3_BUCKET'];

function missingForRecorder(given: Record<string, string>): string[] {
  if (given['RMEET_ROLE'] !== 'recorder') return [];
  const because = 'because RMEET_ROLE is recorder.';
  return [
    ...OF_RECORDERS.filter((name) => given[name] === undefined).map((name) => `${name} must be set, ${because}`),
    ...(given['RMEET_RECORDERS'] === '0' ? [`RMEET_RECORDERS must not be 0, ${because}`] : []),
  ];
}

/** Settings that would allow others to sign in with the demo password. */
function unsafeDemo({
  RMEET_SEED: seed,
  RMEET_HOST: host,
  RMEET_TRUSTED_PROXIES: proxies,
}: Record<string, string>): string[] {
  if (seed !== 'demo') return [];
  const reasons = [
    ...(host !== undefined && !isLoopbackHost(host) ? [`RMEET_HOST is ${JSON.stringify(host)}`] : []),
    ...(proxies === undefined ? [] : ['RMEET_TRUSTED_PROXIES is set']),
  ];
  return reasons.map((reason) => `RMEET_SEED must not be demo while ${reason}: everybody knows the demo password.`);
}

function mistakesOf(given: Record<string, string>, issues: z.core.$ZodIssue[]): string[] {
  const invalid = issues.map((issue) => {
    const name = String(issue.path[0]);
    return `${name} ${issue.message}${SECRET.test(name) ? '' : `, not ${JSON.stringify(given[name])}`}.`;
  });
  const unknown = Object.keys(given)
    .filter((name) => name.startsWith('RMEET_') && !(name in settings.shape))
    .map((name) => `${name} is not a setting of Rmeet.`);
  const [first, processes] = [Number(given['RMEET_MEDIA_PORT'] ?? 0), Number(given['RMEET_MEDIA_PROCESSES'] ?? 1)];
  const ports =
    first <= 65_535 && first + processes - 1 > 65_535
      ? ['RMEET_MEDIA_PORT leaves too few ports for all media processes: each has one, from there on.']
      : [];
  return [
    ...invalid,
    ...unknown,
    ...incompleteGroups(given),
    ...incompleteS3(given),
    ...incompleteBackups(given),
    ...missingForRecorder(given),
    ...ports,
    ...unsafeDemo(given),
  ];
}

/** Behind an HTTP proxy the web port gets HTTP only, unless the administrator says that connections reach it whole. */
function mediaWebPort(s: Settings): number | undefined {
  const given = s.RMEET_MEDIA_WEB_PORT;
  if (s.RMEET_MEDIA_TCP === 'off' || given === 'off') return undefined;
  if (given !== undefined) return Number(given);
  return isLoopbackHost(s.RMEET_HOST) || (s.RMEET_TRUSTED_PROXIES ?? []).length > 0 ? undefined : s.RMEET_PORT;
}

function mediaOf(s: Settings): Config['media'] {
  return {
    udpPort: s.RMEET_MEDIA_PORT,
    processes: s.RMEET_MEDIA_PROCESSES ?? Math.min(availableParallelism(), MOST_PROCESSES),
    drainMinutes: s.RMEET_DRAIN_MINUTES,
    capacity: {
      ...(s.RMEET_MEDIA_PARTICIPANTS === undefined ? {} : { participants: s.RMEET_MEDIA_PARTICIPANTS }),
      ...(s.RMEET_MEDIA_MBITS === undefined ? {} : { bitrate: s.RMEET_MEDIA_MBITS * 1_000_000 }),
    },
    publicIp: s.RMEET_PUBLIC_IP,
    tcp: s.RMEET_MEDIA_TCP === 'on',
    webPort: mediaWebPort(s),
    webAddress:
      isIP(s.RMEET_HOST) !== 0 && !isLoopbackHost(s.RMEET_HOST) && !['0.0.0.0', '::'].includes(s.RMEET_HOST)
        ? s.RMEET_HOST
        : undefined,
    turn:
      s.RMEET_TURN_URLS && s.RMEET_TURN_SECRET ? { urls: s.RMEET_TURN_URLS, secret: s.RMEET_TURN_SECRET } : undefined,
    webhooks:
      s.RMEET_WEBHOOK_URLS && s.RMEET_WEBHOOK_API_KEY && s.RMEET_WEBHOOK_API_SECRET
        ? { urls: s.RMEET_WEBHOOK_URLS, apiKey: s.RMEET_WEBHOOK_API_KEY, apiSecret: s.RMEET_WEBHOOK_API_SECRET }
        : undefined,
    disableV1: s.RMEET_SIGNALLING === 'v0',
    transport: s.RMEET_MEDIA_TRANSPORT,
  };
}

const livekitOf = (s: Settings): Config['livekit'] =>
  s.LIVEKIT_URL && s.LIVEKIT_API_KEY && s.LIVEKIT_API_SECRET
    ? { url: s.LIVEKIT_URL, apiKey: s.LIVEKIT_API_KEY, apiSecret: s.LIVEKIT_API_SECRET }
    : undefined;

/**
 * The S3 server, with its secret from the environment or a file.
 *
 * @throws ConfigError if the file cannot be read
 */
function s3Of(s: Settings): Config['s3'] {
  const secret = s.RMEET_S3_SECRET ?? (s.RMEET_S3_SECRET_FILE && secretIn(s.RMEET_S3_SECRET_FILE));
  if (s.RMEET_S3_ENDPOINT === undefined || s.RMEET_S3_KEY === undefined || !secret) return undefined;
  return {
    endpoint: originIn(s.RMEET_S3_ENDPOINT),
    publicEndpoint: s.RMEET_S3_PUBLIC_URL && originIn(s.RMEET_S3_PUBLIC_URL),
    region: s.RMEET_S3_REGION,
    bucket: s.RMEET_S3_BUCKET,
    accessKey: s.RMEET_S3_KEY,
    secret,
    prefix: s.RMEET_S3_PREFIX ? `${s.RMEET_S3_PREFIX.replace(/\/$/, '')}/` : '',
    addressing: s.RMEET_S3_ADDRESSING,
  };
}

function secretIn(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new ConfigError([`RMEET_S3_SECRET_FILE cannot be read: ${(error as Error).message}.`]);
  }
}

const tlsOf = (s: Settings): Config['tls'] =>
  s.RMEET_TLS_CERT && s.RMEET_TLS_KEY ? { certFile: s.RMEET_TLS_CERT, keyFile: s.RMEET_TLS_KEY } : undefined;

const mailOf = (s: Settings): Config['mail'] =>
  s.RMEET_SMTP_URL && s.RMEET_MAIL_FROM ? { url: s.RMEET_SMTP_URL, from: s.RMEET_MAIL_FROM } : undefined;

function backupsOf(s: Settings): Config['backups'] {
  if (s.RMEET_BACKUP_FOLDER === undefined) return undefined;
  const { RMEET_BACKUP_FILES: files } = s;
  return {
    folder: resolve(s.RMEET_BACKUP_FOLDER),
    schedule: s.RMEET_BACKUP_SCHEDULE,
    keep: s.RMEET_BACKUP_KEEP,
    files: files === undefined || files.startsWith('s3:') ? files : resolve(files),
  };
}

const smsOf = (s: Settings): Config['sms'] => ({
  gateway: s.RMEET_SMS_GATEWAY ? { ...s.RMEET_SMS_GATEWAY, secret: s.RMEET_SMS_SECRET ?? '' } : null,
  hosts: s.RMEET_SMS_HOSTS,
});

const passedCertificatesOf = (s: Settings): Config['passedCertificates'] =>
  s.RMEET_CLIENT_CERT_HEADER && s.RMEET_CLIENT_CERT_SECRET
    ? { header: s.RMEET_CLIENT_CERT_HEADER, secret: s.RMEET_CLIENT_CERT_SECRET }
    : undefined;

/**
 * The configuration in the environment.
 *
 * @throws ConfigError with all mistakes, not only the first
 */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const given = Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => (entry[1] ?? '') !== ''),
  );
  const parsed = settings.safeParse(given);
  const mistakes = mistakesOf(given, parsed.error?.issues ?? []);
  if (!parsed.success || mistakes.length > 0) throw new ConfigError([...new Set(mistakes)]);
  const s = parsed.data;
  return {
    host: s.RMEET_HOST,
    isLoopback: isLoopbackHost(s.RMEET_HOST),
    isReachable: !isLoopbackHost(s.RMEET_HOST) || (s.RMEET_TRUSTED_PROXIES ?? []).length > 0,
    port: s.RMEET_PORT,
    dataFolder: resolve(s.RMEET_DATA),
    databaseUrl: s.DATABASE_URL,
    livekit: livekitOf(s),
    mediaZones: s.RMEET_MEDIA_ZONES ?? [],
    media: mediaOf(s),
    role: s.RMEET_ROLE,
    recorders: {
      processes: s.RMEET_RECORDERS,
      idleSeconds: s.RMEET_RECORDER_IDLE_SECONDS,
      conversions: s.RMEET_RECORDER_CONVERSIONS,
      liveUrl: s.RMEET_RECORDER_LIVE_URL,
    },
    tls: tlsOf(s),
    trustedProxies: s.RMEET_TRUSTED_PROXIES ?? [],
    publicUrls: [...new Set(s.RMEET_PUBLIC_URL ?? [])],
    metricsToken: s.RMEET_METRICS_TOKEN,
    secretKey: s.RMEET_SECRET_KEY,
    s3: s3Of(s),
    backups: backupsOf(s),
    mail: mailOf(s),
    sms: smsOf(s),
    webPush: { hosts: s.RMEET_WEB_PUSH_HOSTS },
    pushHosts: s.RMEET_PUSH_HOSTS,
    ssoHosts: s.RMEET_SSO_HOSTS,
    certificateHosts: s.RMEET_CERTIFICATE_HOSTS,
    certificateAgent: s.RMEET_CERTIFICATE_AGENT,
    clamd: clamdOf(s.RMEET_CLAMD),
    soffice: s.RMEET_SOFFICE,
    passedCertificates: passedCertificatesOf(s),
    directoryHosts: s.RMEET_DIRECTORY_HOSTS,
    eventHosts: s.RMEET_EVENT_HOSTS,
    assistantHosts: s.RMEET_ASSISTANT_HOSTS,
    viewerDays: s.RMEET_VIEWER_DAYS,
    liveCdnUrl: s.RMEET_LIVE_CDN_URL === undefined ? null : originIn(s.RMEET_LIVE_CDN_URL),
    ingestPort: s.RMEET_INGEST_PORT,
    ingestUrl: s.RMEET_INGEST_URL,
    whipPorts: s.RMEET_WHIP_PORTS,
    seed: s.RMEET_SEED ?? 'auto',
    conferenceCapacity: s.RMEET_CONFERENCE_CAPACITY,
    logLevel: s.RMEET_LOG,
  };
}

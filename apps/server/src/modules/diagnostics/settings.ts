import type { Config } from '../../platform/config/index.ts';

/**
 * The settings that diagnostics show: those listed here, and whether the others are set. A new setting is not shown
 * until it is listed, so that none is shown by mistake.
 */
export function shownSettings(config: Config): Record<string, unknown> {
  const { media, recorders } = config;
  return {
    host: config.isLoopback ? 'loopback' : 'reachable',
    port: config.port,
    role: config.role,
    database: config.databaseUrl === undefined ? 'embedded' : 'own server',
    mediaEngine: config.livekit === undefined ? 'embedded' : 'LiveKit',
    mediaZones: config.mediaZones.length,
    media: {
      udpPort: media.udpPort,
      processes: media.processes,
      drainMinutes: media.drainMinutes,
      participants: media.capacity.participants ?? null,
      bitrate: media.capacity.bitrate ?? null,
      hasPublicIp: media.publicIp !== undefined,
      turnServers: media.turn?.urls.length ?? 0,
      webhooks: media.webhooks?.urls.length ?? 0,
      disableV1: media.disableV1,
      transport: media.transport,
      tcp: media.tcp,
      webPort: media.webPort,
    },
    recorders: {
      processes: recorders.processes,
      idleSeconds: recorders.idleSeconds,
      conversions: recorders.conversions,
      isReachable: recorders.liveUrl !== undefined,
    },
    tls: config.tls === undefined ? 'self-signed' : 'own certificate',
    trustedProxies: config.trustedProxies.length,
    publicUrls: config.publicUrls.length,
    hasMetricsToken: config.metricsToken !== undefined,
    hasSecretKey: config.secretKey !== undefined,
    files: config.s3?.bucket === undefined ? 'data folder' : 'S3',
    backups: config.backups === undefined ? null : { schedule: config.backups.schedule, keep: config.backups.keep },
    hasMail: config.mail !== undefined,
    hasSms: config.sms.gateway !== null,
    hasCertificateAgent: config.certificateAgent !== undefined,
    hasPassedCertificates: config.passedCertificates !== undefined,
    viewerDays: config.viewerDays,
    hasCdn: config.liveCdnUrl !== null,
    ingestPort: config.ingestPort,
    whipPorts: config.whipPorts ?? null,
    seed: config.seed,
    conferenceCapacity: config.conferenceCapacity,
    logLevel: config.logLevel,
  };
}

/** Settings whose values are no secret although the texts in them are long; nothing else of `config` is trusted. */
const PLAIN = new Set(['dataFolder', 'logLevel', 'role', 'seed', 'host', 'schedule', 'region', 'addressing', 'method']);
/** Shorter values would hide ordinary words. */
const SHORTEST = 8;

/**
 * Every text of the settings that may be secret, to be removed from what is shown, wherever it stands: also parts of
 * addresses that contain an account.
 */
export function secretsIn(config: Config): string[] {
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value === 'string') {
      if (value.length >= SHORTEST) found.add(value);
      if (URL.canParse(value)) {
        const { username, password } = new URL(value);
        for (const part of [password, decodeURIComponent(password), username])
          if (part.length >= SHORTEST / 2) found.add(part);
      }
    } else if (typeof value === 'object' && value !== null)
      for (const [name, item] of Object.entries(value)) if (!PLAIN.has(name)) visit(item);
  };
  visit(config);
  // Longer ones first: one may contain another.
  return [...found].toSorted((a, b) => b.length - a.length);
}

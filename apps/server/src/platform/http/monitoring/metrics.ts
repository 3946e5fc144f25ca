import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { MetricsAccess } from './metrics-access.ts';

export interface MetricSources {
  /** Connections by group, in file handles, and how many were closed to free handles. */
  connections(): { anonymous: number; signedIn: number; closed: number };
  pushConnections(): number;
  /** Lines of this process's log that could not be written. */
  logLinesLost(): number;
  /** Whether the database answers, checked when metrics are requested. */
  database(): Promise<boolean>;
  media(): boolean;
  /** Media connections on the web port; undefined if none are accepted there. */
  mediaConnections?: () => { handed: number; refused: number };
  /** Metrics of the media process as Prometheus text; empty if the engine runs elsewhere. */
  mediaText(): Promise<string>;
}

/** Registers the metrics of this process. */
function registerSources(register: Registry, sources: MetricSources): void {
  const gauge = (name: string, help: string, read: () => number | Promise<number>): Gauge =>
    new Gauge({
      name,
      help,
      registers: [register],
      async collect() {
        this.set(await read());
      },
    });
  gauge('rmeet_push_connections', 'Authenticated push sockets of this process.', () => sources.pushConnections());
  register.registerMetric(
    new Gauge({
      name: 'rmeet_connections',
      help: 'File handles of connections, by whether somebody has signed in on them.',
      labelNames: ['kind'] as const,
      registers: [],
      collect() {
        const { anonymous, signedIn } = sources.connections();
        this.set({ kind: 'anonymous' }, anonymous);
        this.set({ kind: 'signed_in' }, signedIn);
      },
    }),
  );
  register.registerMetric(
    new Counter({
      name: 'rmeet_connections_closed_total',
      help: 'Anonymous connections that were closed to make room.',
      registers: [],
      collect() {
        this.reset();
        this.inc(sources.connections().closed);
      },
    }),
  );
  register.registerMetric(
    new Counter({
      name: 'rmeet_log_lines_lost_total',
      help: 'Lines of the log of this process that could not be written.',
      registers: [],
      collect() {
        this.reset();
        this.inc(sources.logLinesLost());
      },
    }),
  );
  registerMediaConnections(register, sources);
  gauge('rmeet_database_up', '1 while the database answers.', async () => ((await sources.database()) ? 1 : 0));
  gauge('rmeet_media_up', '1 while the media engine answers.', () => (sources.media() ? 1 : 0));
}

function registerMediaConnections(register: Registry, { mediaConnections }: MetricSources): void {
  if (!mediaConnections) return;
  register.registerMetric(
    new Counter({
      name: 'rmeet_media_connections_total',
      help: 'TCP connections for media on the web port, by whether a media process got them.',
      labelNames: ['result'] as const,
      registers: [],
      collect() {
        const { handed, refused } = mediaConnections();
        this.reset();
        this.inc({ result: 'handed' }, handed);
        this.inc({ result: 'refused' }, refused);
      },
    }),
  );
}

/**
 * Measures every request, and serves /metrics in Prometheus' text format to callers who may read it. Labels contain
 * route patterns, never ids.
 */
export function serveMetrics(app: FastifyInstance, access: MetricsAccess, sources: MetricSources): void {
  const register = new Registry();
  collectDefaultMetrics({ register });
  const durations = new Histogram({
    name: 'rmeet_http_request_seconds',
    help: 'Time from the request to the end of its answer.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [register],
  });
  registerSources(register, sources);

  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none';
    durations.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1_000);
  });
  app.get('/metrics', async (request, reply) => {
    const given = access(request.raw);
    if (given === 'hidden') return reply.callNotFound();
    if (given === 'refused')
      return reply
        .code(401)
        .headers({ 'www-authenticate': 'Bearer', 'cache-control': 'no-store' })
        .type('text/plain; charset=utf-8')
        .send('401');
    const [own, media] = await Promise.all([register.metrics(), sources.mediaText()]);
    return reply.type(register.contentType).header('cache-control', 'no-store').send(`${own}\n${media}`);
  });
}

/**
 * The metrics of several processes as one Prometheus text (exposition format 0.0.4): every sample is labelled with its
 * process, and the samples of one metric are grouped under one HELP and TYPE.
 */
export function mergeMetrics(texts: ReadonlyMap<string, string>): string {
  const metrics = new Map<string, { head: Map<string, string>; samples: string[] }>();
  for (const [process, text] of texts) {
    let metric: { head: Map<string, string>; samples: string[] } | undefined;
    for (const line of text.split('\n')) {
      const [, kind, name] = /^# (HELP|TYPE) (\S+)/.exec(line) ?? [];
      if (kind !== undefined && name !== undefined) {
        metric = metrics.get(name) ?? { head: new Map(), samples: [] };
        metrics.set(name, metric);
        if (!metric.head.has(kind)) metric.head.set(kind, line);
        continue;
      }
      const [, sample, labels, value] = /^([\w:]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      if (sample !== undefined)
        metric?.samples.push(`${sample}{process="${process}"${labels ? `,${labels}` : ''}} ${value}`);
    }
  }
  return [...metrics.values()].map(({ head, samples }) => `${[...head.values(), ...samples].join('\n')}\n`).join('');
}

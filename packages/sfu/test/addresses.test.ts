import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { expect, it, vi } from 'vitest';
import { candidates, candidateText, tcpCandidates } from '../src/transport/addresses.ts';
import { startEngine } from './support/engine.ts';

it('advertises the public address first, then IPv4 before IPv6, each once and on the one port', () => {
  const all = candidates(7882, ['fd00::1', '10.0.0.1', '10.0.0.2'], '203.0.113.5');
  expect(all.map(({ address }) => address)).toEqual(['203.0.113.5', '10.0.0.1', '10.0.0.2', 'fd00::1']);
  expect(new Set(all.map(({ port }) => port))).toEqual(new Set([7882]));
  expect(all.map(({ priority }) => priority)).toEqual(all.map(({ priority }) => priority).toSorted((a, b) => b - a));
  expect(candidates(7882, ['203.0.113.5'], '203.0.113.5')).toHaveLength(1);
});

it('advertises TCP ports below those of UDP, as passive, by the addresses that reach them', () => {
  const tcp = tcpCandidates(
    [{ port: 7882 }, { port: 443, address: '10.0.0.1' }],
    ['10.0.0.1', 'fd00::1'],
    '203.0.113.5',
  );
  expect(tcp.map(({ address, port }) => `${address} ${port}`)).toEqual([
    '203.0.113.5 7882',
    '10.0.0.1 7882',
    'fd00::1 7882',
    '203.0.113.5 443',
    '10.0.0.1 443',
  ]);
  const priorities = tcp.map(({ priority }) => priority);
  expect(priorities).toEqual(priorities.toSorted((a, b) => b - a));
  expect(priorities[0]).toBeLessThan(candidates(7882, ['10.0.0.1'])[0]!.priority);
  expect(candidateText(tcp[0]!, 4)).toBe(
    `candidate:5 1 tcp ${priorities[0]} 203.0.113.5 7882 typ host tcptype passive`,
  );
});

it.each(['0.0.0.0', '::'])('does not start if another program has its UDP port at %s', async (address) => {
  const other = createSocket(address === '::' ? 'udp6' : 'udp4').bind(0, address);
  await once(other, 'listening');
  await expect(startEngine({ udpPort: other.address().port })).rejects.toMatchObject({
    code: 'EADDRINUSE',
    syscall: 'bind',
  });
  other.close();
});

it('holds its UDP port without connections, and releases it on close', async () => {
  const engine = await startEngine();
  await expect(startEngine({ udpPort: engine.udpPort })).rejects.toMatchObject({ code: 'EADDRINUSE', syscall: 'bind' });
  await engine.close();
  // The native side releases it a few milliseconds later.
  const next = await vi.waitFor(() => startEngine({ udpPort: engine.udpPort }));
  await next.close();
});

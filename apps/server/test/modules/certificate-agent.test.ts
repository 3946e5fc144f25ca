import { certText } from '@rmeet/contract';
import { startCertificateAgent, type RunningAgent } from '@rmeet/testkit/certificate-agent';
import { TestAuthority } from '@rmeet/testkit/certificate-authority';
import { SOFTHSM_SKIPPED, startSoftHsm, type SoftHsm } from '@rmeet/testkit/softhsm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientOf, signIn } from './support/client.ts';
import { startTestServer, type TestServer } from './support/server.ts';

let server: TestServer;
let root: TestAuthority;
let hsm: SoftHsm;
let agent: RunningAgent;

describe.skipIf(SOFTHSM_SKIPPED !== '')(`a key in a PKCS #11 token behind a local agent${SOFTHSM_SKIPPED}`, () => {
  beforeAll(async () => {
    server = await startTestServer({ publicUrls: ['https://meet.example.org'] });
    root = await TestAuthority.create({ subject: '/CN=Token CA' });
    hsm = await startSoftHsm();
    const alice = await root.issue({ subject: '/CN=alice', key: 'RSA' });
    agent = await startCertificateAgent([await hsm.hold('alice', alice)], { origins: [server.publicUrl] });
    const admin = await signIn(server, 'admin');
    await admin.certificateAuthorities.add({ body: { certificate: root.self.certificate } });
    await admin.certificateAuthorities.setRules({ body: { match: 'commonName' } });
  });
  afterAll(async () => {
    await agent?.close();
    await hsm?.remove();
    await root?.remove();
    await server?.close();
  });

  /** As the page does (apps/web/src/lib/certificates/agent.ts). */
  const ask = (text: string, origin = server.publicUrl) =>
    fetch(`${agent.url}/sign`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin },
      body: JSON.stringify({ id: '0', text }),
    });
  const challenge = () => clientOf(server).certs.getCodeData({ query: { tenantUri: 'north' } });
  const textOf = (one: Awaited<ReturnType<typeof challenge>>, origin = server.publicUrl): string =>
    certText({ origin, purpose: 'signIn', tenantId: one.tenantId, time: one.time, challenge: one.challenge });

  test('signs its owner in', async () => {
    const one = await challenge();
    const proof = (await (await ask(textOf(one))).json()) as { certificate: string; signature: string };
    const { user } = await clientOf(server).certs.verifyToToken({
      body: { challenge: one.challenge, secret: one.secret, proof: { ...proof, algorithm: 'RS256' } },
    });
    expect(user.account).toBe('alice');
  });

  test('signs nothing for other pages, and no text of another origin', async () => {
    const one = await challenge();
    expect((await ask(textOf(one), 'https://evil.example.org')).status).toBe(403);
    expect((await ask(textOf(one, 'https://evil.example.org'))).status).toBe(403);
    expect((await ask('any other text')).status).toBe(403);
    expect(agent.signed).toHaveLength(1);
  });
});

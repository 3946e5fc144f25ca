import { CERT_ALGORITHMS, type CertAlgorithm, type CertProof } from '@rmeet/contract';
import { CertificateFault, type CertSigner } from './signer.ts';

/** The protocol of local agents that this page speaks (docs/features/certificates.md). */
const PROTOCOL = 'rmeet-certificate-agent/1';
/** How long an agent may take to say that it is there, and to sign, which asks a person for a PIN; ms. */
const [HELLO_WITHIN, SIGN_WITHIN] = [2_000, 180_000];

interface AgentCertificate {
  id: string;
  name: string;
}

/** A call of the agent. It gets neither cookies nor the address of this page beyond its origin. */
async function call(agent: string, path: string, within: number, body?: unknown): Promise<unknown> {
  const response = await fetch(`${agent}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    cache: 'no-store',
    signal: AbortSignal.timeout(within),
    ...(body === undefined ? {} : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new CertificateFault('agentRefused');
  return response.json();
}

const isAlgorithm = (value: unknown): value is CertAlgorithm => CERT_ALGORITHMS.includes(value as CertAlgorithm);
const isText = (value: unknown): value is string => typeof value === 'string';

function proofIn(answer: unknown): CertProof {
  const { certificate, chain = [], algorithm, signature } = (answer ?? {}) as Record<string, unknown>;
  const isChain = Array.isArray(chain) && chain.every((one) => isText(one));
  if (!isText(certificate) || !isText(signature) || !isAlgorithm(algorithm) || !isChain)
    throw new CertificateFault('agentRefused');
  return { certificate, chain, algorithm, signature };
}

/** The certificates of the local agent, each of which can sign; none if no agent answers. */
export async function agentSigners(agent: string): Promise<CertSigner[]> {
  let found: unknown;
  try {
    found = await call(agent, '/certificates', HELLO_WITHIN);
  } catch {
    return [];
  }
  const { protocol, certificates } = (found ?? {}) as { protocol?: unknown; certificates?: AgentCertificate[] };
  if (protocol !== PROTOCOL || !Array.isArray(certificates)) return [];
  return certificates
    .filter(({ id, name }) => isText(id) && isText(name))
    .map(({ id, name }) => ({
      name,
      prove: async (text) => {
        try {
          return proofIn(await call(agent, '/sign', SIGN_WITHIN, { id, text }));
        } catch (error) {
          throw error instanceof CertificateFault ? error : new CertificateFault('agentGone');
        }
      },
    }));
}

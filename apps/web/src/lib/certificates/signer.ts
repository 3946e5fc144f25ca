import type { CertProof } from '@rmeet/contract';

/** Why a certificate cannot be used. The texts of each are in ui/certificate. */
export type CertFault =
  | 'password'
  | 'notPkcs12'
  | 'noKey'
  | 'noCertificate'
  | 'keyKind'
  | 'encryption'
  | 'expired'
  | 'notYet'
  | 'insecure'
  | 'agentGone'
  | 'agentRefused';

export class CertificateFault extends Error {
  readonly fault: CertFault;
  constructor(fault: CertFault) {
    super(fault);
    this.fault = fault;
  }
}

/** A certificate whose key can sign here, or in a local agent. */
export interface CertSigner {
  /** The name of its owner. */
  name: string;
  /** Signs a text (UTF-8). @throws CertificateFault */
  prove(text: string): Promise<CertProof>;
}

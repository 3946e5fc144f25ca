import type { CaptchaChallenge } from '@rmeet/contract';

/**
 * Solves a captcha challenge (ALTCHA, proof of work version 2): returns the derived key in hex, after about half a
 * second of work, two on a phone. The page stays responsive meanwhile. Null if `signal` aborts it.
 */
export async function solveCaptcha(challenge: CaptchaChallenge, signal: AbortSignal): Promise<string | null> {
  // Loaded on demand: most sign-ins do not need it.
  const [{ solveChallenge }, { deriveKey }] = await Promise.all([
    import('altcha-lib'),
    import('altcha-lib/algorithms/web/pbkdf2'),
  ]);
  const controller = new AbortController();
  signal.addEventListener('abort', () => controller.abort(), { once: true });
  return (await solveChallenge({ challenge, deriveKey, controller, timeout: 0 }))?.derivedKey ?? null;
}

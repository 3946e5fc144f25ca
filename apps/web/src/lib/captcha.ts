import type { CaptchaChallenge } from '@rmeet/contract';

/**
 * Solves the challenge of a captcha (ALTCHA, proof of work version 2): the derived key in hex, which half a second of
 * work finds, two on a phone. The page stays usable meanwhile. Null when `signal` gives it up.
 */
export async function solveCaptcha(challenge: CaptchaChallenge, signal: AbortSignal): Promise<string | null> {
  // Most sign-ins need none of it.
  const [{ solveChallenge }, { deriveKey }] = await Promise.all([
    import('altcha-lib'),
    import('altcha-lib/algorithms/web/pbkdf2'),
  ]);
  const controller = new AbortController();
  signal.addEventListener('abort', () => controller.abort(), { once: true });
  return (await solveChallenge({ challenge, deriveKey, controller, timeout: 0 }))?.derivedKey ?? null;
}

import type { ReactNode } from 'react';
import { usePermission } from '../lib/access.ts';

/** Shows its children if the account has the permission. Throws if the code is empty. */
export function Permitted({ code, children }: { code: string; children: ReactNode }) {
  if (!code) throw new Error('The agreed permission code is missing.');
  return usePermission(code) && children;
}

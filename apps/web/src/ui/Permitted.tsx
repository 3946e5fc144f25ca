import type { ReactNode } from 'react';
import { usePermission } from '../lib/access.ts';

/** Shows its children to those who have the permission. Throws when no code is named. */
export function Permitted({ code, children }: { code: string; children: ReactNode }) {
  if (!code) throw new Error('The agreed permission code is missing.');
  return usePermission(code) && children;
}

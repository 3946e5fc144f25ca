import type { EntryLook } from '@rmeet/contract';
import { useState } from 'react';
import { useLanguage } from '../../../lib/i18n/index.ts';
import { useAccent } from '../../../ui/accent.ts';
import { Logo } from '../../../ui/Logo.tsx';

/** The logo of the meeting's organisation, on the dark ground that logos are made for; else the product's. */
export function EntryLogo({ look }: { look: EntryLook | null }) {
  const [broken, setBroken] = useState<string | null>(null);
  useAccent(look?.colour ?? null);
  if (look === null || look.logoUrl === null || look.logoUrl === broken) return <Logo open />;
  const { logoUrl, name } = look;
  return (
    <span className="entry-logo" data-testid="entry-logo">
      <img src={logoUrl} width={168} height={52} alt={name} onError={() => setBroken(logoUrl)} />
    </span>
  );
}

/** The sentence by which the organisation greets people who are about to join. */
export function Welcome({ look }: { look: EntryLook | null }) {
  const language = useLanguage();
  const sentence = look?.welcome[language] ?? '';
  return sentence === '' ? null : (
    <p className="entry-welcome" data-testid="entry-welcome">
      {sentence}
    </p>
  );
}

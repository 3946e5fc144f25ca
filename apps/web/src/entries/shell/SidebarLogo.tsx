import { useState } from 'react';
import { Link } from 'react-router';
import { useTexts } from '../../lib/i18n/index.ts';
import { useProfile } from '../../lib/profile.ts';
import { Logo } from '../../ui/Logo.tsx';

/** The tenant's logo, or the product's if there is none or it fails to load: 210x65 open, 45x45 collapsed. */
export function SidebarLogo({ open, onNavigate }: { open: boolean; onNavigate: (() => void) | undefined }) {
  const t = useTexts('common');
  const { branding } = useProfile() ?? {};
  const [broken, setBroken] = useState<string | null>(null);
  const logoUrl = branding?.logoUrl ?? null;
  const [width, height] = open ? [210, 65] : [45, 45];
  return (
    <Link
      to="/"
      className="sidebar-logo"
      aria-label={logoUrl === null ? t('productName') : branding?.name}
      onClick={onNavigate}
      data-testid="sidebar-logo"
    >
      {logoUrl === null || logoUrl === broken ? (
        <Logo open={open} inverse />
      ) : (
        <img src={logoUrl} width={width} height={height} alt="" onError={() => setBroken(logoUrl)} />
      )}
    </Link>
  );
}

import type { OfferedPackage } from '@rmeet/contract';
import { useEffect } from 'react';
import { Link } from 'react-router';
import { useTexts } from '../../../lib/i18n/index.ts';
import { LanguageSwitch } from '../../../ui/LanguageSwitch.tsx';
import { PageHelp } from '../../../ui/PageHelp.tsx';
import { Logo } from '../../../ui/Logo.tsx';
import { EmptyState, ErrorState, Loading } from '../../../ui/states.tsx';
import { useOfferedPackages } from './clientInfo.ts';
import { PackageCard } from './PackageCard.tsx';
import { GROUP_NAMES, GROUPS, packageIn } from './rules.ts';
import './downloads.css';
import './texts.ts';

/** `/clientDownload`: all packages that are offered, with codes for phones. Needs no sign-in. */
export function ClientDownloadPage() {
  const t = useTexts('downloads');
  const { data, isPending, refetch } = useOfferedPackages();
  const title = t('title');
  useEffect(() => {
    document.title = `${title} · Rmeet`;
  }, [title]);
  const content = () => {
    if (isPending) return <Loading />;
    if (!data) return <ErrorState retry={() => void refetch()} />;
    if (data.length === 0) return <EmptyState picture="list" title={t('empty')} hint={t('emptyHint')} />;
    return <Groups offered={data} />;
  };
  return (
    <div className="downloads">
      <header className="downloads-header">
        <Logo />
        <Link to="/" data-testid="downloads-home">
          {t('home')}
        </Link>
        <PageHelp page="downloads" />
        <LanguageSwitch />
      </header>
      <main className="downloads-main">
        <h1>{title}</h1>
        <p className="downloads-intro">{t('intro')}</p>
        {content()}
      </main>
    </div>
  );
}

function Groups({ offered }: { offered: readonly OfferedPackage[] }) {
  const t = useTexts('downloads');
  return GROUP_NAMES.map((group) => {
    const packages = GROUPS[group].flatMap((name) => packageIn(offered, name) ?? []);
    if (packages.length === 0) return null;
    return (
      <section key={group} className="downloads-group" aria-labelledby={`downloads-${group}`}>
        <h2 id={`downloads-${group}`}>{t(`group.${group}`)}</h2>
        <ul>
          {packages.map((one) => (
            <PackageCard key={one.id} offered={one} />
          ))}
        </ul>
      </section>
    );
  });
}

import { compareVersions, type ClientPackageName, type OfferedPackage } from '@rmeet/contract';
import { useEffect } from 'react';
import { useTexts } from '../../../lib/i18n/index.ts';
import { LanguageSwitch } from '../../../ui/LanguageSwitch.tsx';
import { Logo } from '../../../ui/Logo.tsx';
import { showFallback } from '../../../ui/screenFallback.tsx';
import { EmptyState, ErrorState, Loading } from '../../../ui/states.tsx';
import { useOfferedPackages } from './clientInfo.ts';
import { Facts, PackageCard, PackageLink } from './PackageCard.tsx';
import { askedOf, isWeChat, landingOf, packageFor, type Asked } from './rules.ts';
import './downloads.css';
import './texts.ts';

/**
 * `/downloads`: the plain page on which phones land that have scanned the code for Android. It offers the scanned
 * package first, without parameters the one for the device. Only addresses that the server knows are linked.
 */
export function DownloadsPage() {
  const t = useTexts('downloads');
  const asked = askedOf(location.search);
  const { data, isPending, refetch } = useOfferedPackages(asked.url === '' ? undefined : asked.url);
  const title = t('title');
  useEffect(() => {
    document.title = `${title} · Rmeet`;
    showFallback();
  }, [title]);
  const content = () => {
    if (isPending) return <Loading />;
    if (!data) return <ErrorState retry={() => void refetch()} />;
    if (data.length === 0) return <EmptyState picture="list" title={t('empty')} hint={t('emptyHint')} />;
    return <Landing asked={asked} offered={data} />;
  };
  return (
    <div className="downloads downloads-plain">
      <header className="downloads-header">
        <Logo />
        <LanguageSwitch />
      </header>
      <main className="downloads-main">
        <h1>{title}</h1>
        {content()}
      </main>
    </div>
  );
}

function Landing({ asked, offered }: { asked: Asked; offered: readonly OfferedPackage[] }) {
  const t = useTexts('downloads');
  const device = packageFor(navigator.userAgent);
  const wanted = asked.name ?? device;
  const { first, others } = landingOf(offered, wanted);
  return (
    <>
      {isWeChat(navigator.userAgent) && (
        <p className="downloads-note" role="status" data-testid="downloads-browser">
          {t('landing.browser')}
        </p>
      )}
      {wanted !== undefined && <First wanted={wanted} offered={first} asked={asked} device={device} />}
      {others.length > 0 && (
        <section className="downloads-group" aria-labelledby="downloads-others">
          <h2 id="downloads-others">{t(first ? 'landing.others' : 'all')}</h2>
          <ul>
            {others.map((one) => (
              <PackageCard key={one.id} offered={one} />
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

interface FirstProps {
  wanted: ClientPackageName;
  /** Undefined if there is no such package. */
  offered: OfferedPackage | undefined;
  asked: Asked;
  device: ClientPackageName | undefined;
}

/** The package that was scanned, or the one for the device. */
function First({ wanted, offered, asked, device }: FirstProps) {
  const t = useTexts('downloads');
  const name = t(`type.${wanted}`);
  if (!offered)
    return (
      <section className="downloads-first" data-testid="downloads-missing">
        <h2>{t('landing.notHere', { name })}</h2>
        <p>{t('landing.notHereHint')}</p>
      </section>
    );
  const isPhone = device === 'android' || device === 'ios' || device === 'harmony';
  const changed = changeOf(asked, offered);
  return (
    <section className="downloads-first" data-testid="downloads-first">
      <h2>{t('landing.offer', { name })}</h2>
      <Facts offered={offered} />
      {changed && (
        <p className="downloads-note" role="status" data-testid="downloads-changed">
          {t(`landing.${changed}`, { scanned: asked.version, version: offered.version })}
        </p>
      )}
      {isPhone && device !== wanted && (
        <p className="downloads-note" role="status" data-testid="downloads-other-device">
          {t('landing.otherDevice', { name })}
        </p>
      )}
      {offered.notes !== '' && <p className="package-notes">{offered.notes}</p>}
      <PackageLink offered={offered} large />
    </section>
  );
}

/** Whether another version is offered than the one that was scanned. */
function changeOf({ version }: Asked, offered: OfferedPackage): 'newer' | 'older' | null {
  if (!/^\d+(\.\d+)*$/.test(version)) return null;
  const difference = compareVersions(offered.version, version);
  if (difference === 0) return null;
  return difference > 0 ? 'newer' : 'older';
}

import { SHARE_HINTS, SHARE_RATES, type LocalMedia, type ShareOptions } from '../../../call/index.ts';
import { PHONE, useMediaQuery } from '../../../lib/useMediaQuery.ts';
import { Icon } from '../../../ui/icons.tsx';
import { Menu, MenuGroup, MenuItem } from '../../../ui/Menu.tsx';
import { useStorePart } from '../shared/use-store.ts';
import { useT } from '../texts.ts';
import './shareBar.css';

interface ShareBarProps {
  local: LocalMedia;
  /** Called with the options that later shares begin with. */
  onOptions: (options: ShareOptions) => void;
}

/** While the user shares: what, and how to pause and to stop it. In the header, where it covers no picture. */
export function ShareBar({ local, onOptions }: ShareBarProps) {
  const t = useT();
  const { video, audio, paused, surface, options } = useStorePart(local.store, ({ screen }) => screen);
  const narrow = useMediaQuery(PHONE);
  if (video === null) return null;
  const choose = (patch: Partial<ShareOptions>) => {
    const chosen = { ...options, ...patch };
    local.setShareOptions(chosen);
    onOptions(chosen);
  };
  const what = t(narrow ? 'share.what.short' : `share.what.${surface}`);
  return (
    <div className="share-bar" role="group" aria-label={t('share.label')} data-testid="share-bar" data-paused={paused}>
      <p className="share-what" role="status">
        <Icon name={paused ? 'pause' : 'share'} size={18} />
        <span>
          {paused
            ? t(narrow ? 'share.pausedShort' : 'share.paused')
            : audio === null || narrow
              ? what
              : t('share.withSound', { what })}
        </span>
      </p>
      <button
        type="button"
        className="share-button"
        data-testid="share-pause"
        onClick={() => (paused ? local.resumeShare() : void local.pauseShare())}
      >
        {t(paused ? 'share.resume' : 'share.pause')}
      </button>
      <OptionsMenu options={options} choose={choose} />
      <button
        type="button"
        className="share-button share-stop"
        data-testid="share-stop"
        onClick={() => local.stopShare()}
      >
        {t('toolbar.shareStop')}
      </button>
    </div>
  );
}

/** Sharp text or smooth motion, and how many pictures a second. */
function OptionsMenu({ options, choose }: { options: ShareOptions; choose: (patch: Partial<ShareOptions>) => void }) {
  const t = useT();
  return (
    <Menu
      button={<Icon name="devices" size={18} />}
      label={t('share.options')}
      className="share-button"
      testId="share-options"
    >
      <MenuGroup label={t('share.quality')}>
        {SHARE_HINTS.map((hint) => (
          <MenuItem
            key={hint}
            kind="radio"
            checked={options.hint === hint}
            testId={`share-${hint}`}
            onSelect={() => choose({ hint, rate: hint === 'motion' ? 30 : 15 })}
          >
            {t(`share.hints.${hint}`)}
          </MenuItem>
        ))}
      </MenuGroup>
      <MenuGroup label={t('share.rate')}>
        {SHARE_RATES.map((rate) => (
          <MenuItem
            key={rate}
            kind="radio"
            checked={options.rate === rate}
            testId={`share-rate-${rate}`}
            onSelect={() => choose({ rate })}
          >
            {t('share.perSecond', { rate })}
          </MenuItem>
        ))}
      </MenuGroup>
    </Menu>
  );
}

import { type ComponentProps, createContext, useContext } from 'react';
import type { ExtraProps } from 'react-markdown';
import { t } from '../../app/i18n/translate';
import { CITATION_CLASS } from './citations';
import { isOwnImage, safeLink } from './url-safety';

type LinkProps = ComponentProps<'a'> & ExtraProps;
type ImageProps = ComponentProps<'img'> & ExtraProps;

/** Whether an image is inside of a link. */
const LinkContext = createContext(false);

/** A link in a message. It opens in a new tab without a referrer; an unsafe address is shown as text. */
export function MessageLink({
  href,
  children,
  id,
  title,
  className,
  'aria-describedby': describedBy,
  'aria-label': label,
}: LinkProps) {
  const target = href ? safeLink(href) : null;
  if (!target) return <span>{children}</span>;
  if (target.startsWith('#')) {
    return (
      <a href={target} id={id} aria-describedby={describedBy} aria-label={label}>
        {children}
      </a>
    );
  }
  // The title of a source is its name; of another link it could hide its address.
  const name = className === CITATION_CLASS ? title : undefined;
  return (
    <a
      href={target}
      target="_blank"
      rel="noopener noreferrer nofollow"
      title={name}
      className={className}
      aria-label={name}
    >
      <LinkContext value>{children}</LinkContext>
    </a>
  );
}

/** An image in a message. Files of this installation are shown; other addresses become links, so that nothing loads. */
export function MessageImage({ src, alt, title }: ImageProps) {
  const isInLink = useContext(LinkContext);
  const address = typeof src === 'string' ? src : '';
  if (isOwnImage(address)) return <img src={address} alt={alt ?? ''} title={title} loading="lazy" />;
  const target = safeLink(address);
  const name = alt ? t('message.imageOf', { alt }) : t('message.image');
  if (!target || target.startsWith('#')) return <span>{alt}</span>;
  if (isInLink) return <span>{name}</span>;
  return (
    <a href={target} target="_blank" rel="noopener noreferrer nofollow" title={target}>
      {name}
    </a>
  );
}

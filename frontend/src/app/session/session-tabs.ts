/** The tabs of one browser share its cookies: what one of them does to the session happens to all. */
const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('tanya.session');

/** This tab logged in or out, or its session got another id. */
export function tellOtherTabs(): void {
  channel?.postMessage('changed');
}

export function onSessionChangedElsewhere(listener: () => void): void {
  channel?.addEventListener('message', listener);
}

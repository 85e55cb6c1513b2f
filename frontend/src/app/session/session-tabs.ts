/** The tabs of a browser share the session cookie, so a login or logout in one tab changes the session of all. */
const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('tanya.session');

/** Notifies the other tabs that this tab logged in or out, or that its session got another id. */
export function broadcastSessionChange(): void {
  channel?.postMessage('changed');
}

export function onSessionChangedInOtherTab(listener: () => void): void {
  channel?.addEventListener('message', listener);
}

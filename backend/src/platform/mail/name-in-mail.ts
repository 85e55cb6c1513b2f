/** Characters of addresses, and others that look like them and are the same after NFKC. */
const LOOKALIKES: Record<string, string> = { '.': '\u2024', '/': '\uff0f', ':': '\uff1a', '@': '\uff20' };

/**
 * A username as text of a mail. Anybody can register an address of somebody else under the name `win-at.evil.example`, and
 * the mail comes from us: no mail program makes a link of this form. A login takes it as the name itself.
 */
export const nameInMail = (username: string): string => username.replace(/[./:@]/g, (each) => LOOKALIKES[each]!);

import { ADMIN_TEXTS, TEXTS } from '@tanya/contract';

const { siteTitle, welcomeMessage, emptyThreadMessage } = TEXTS.defaults;
const { loggedOut, loggedOutHint, logoutFailed } = TEXTS.auth;

/** Texts of the code that loads before the first render. */
export default {
  notFound: TEXTS.notFound,
  /** Shown in place of a setting that has its default text. */
  defaults: { siteTitle, welcomeMessage, emptyThreadMessage },
  chat: TEXTS.chat,
  sidebar: {
    ...TEXTS.sidebar,
    administrator: 'Administrator',
    myUsage: 'My Usage',
  },
  auth: { loggedOut, loggedOutHint, logoutFailed },
  settings: { tryAgain: ADMIN_TEXTS.settings.tryAgain },
  page: {
    failed: 'This page could not be shown',
    incompleteLink: 'There is nothing at this address. It may have moved, or the link is incomplete.',
    loading: 'Loading',
    loadingLong: 'Loading...',
    loginFirst: 'Log in to open this page.',
    skip: 'Skip to content',
    missingPart: 'A part of this page could not be loaded. Check your connection and try again.',
  },
  network: {
    unreachable: 'The server can’t be reached. Check your connection and try again.',
    timeout: 'The server took too long to answer. Please try again.',
    unknown: 'Something went wrong. Please try again.',
    requestFailed: 'The request failed',
  },
  ended: {
    logout: 'You have been logged out.',
    password: 'Your password was changed. Please log in again.',
    role: 'Your rights have changed. Please log in again.',
    deleted: 'This account no longer exists.',
    expired: 'Your session has ended. Please log in again.',
  },
  navigation: {
    main: 'Main',
    openMenu: 'Open menu',
    showSidebar: 'Show sidebar',
    hideSidebar: 'Hide sidebar',
    accountOf: 'Account of {name}',
    shortcuts: 'Keyboard shortcuts',
    logout: 'Logout',
    theme: 'Theme: {now}. Switch to {next}',
    language: 'Language',
    loadingChats: 'Loading chats',
    search: 'Search and commands',
    find: 'Search',
    archived: 'Archived chats',
  },
  theme: { system: 'system', light: 'light', dark: 'dark' },
  composer: {
    label: 'Message',
    placeholder: 'Write a message',
    attach: 'Attach a file',
    chooseFiles: 'Choose files to attach',
    send: 'Send message',
    waitsForUpload: 'Sending waits for the upload',
    retryOrRemove: 'Upload again or remove the files that failed',
    stop: 'Stop generating',
    length: '{length} of {max} characters',
    lengthTooLong: '{length} of {max} characters. Shorten the text to send it.',
    tooLong: 'The text is too long',
  },
  quota: {
    /** The tag marks the quota itself, such as `1/3`. */
    shown: '<quota>{quota}</quota> messages',
    unlimited: 'You have unlimited messages.',
    used: 'You have used {used, number} of {max, number} messages.',
  },
  conversation: {
    label: 'Conversation',
    loading: 'Loading chat',
    stopFailed: 'The answer could not be stopped',
    versionFailed: 'This version could not be shown',
    connectionLost: 'Connection lost. Reconnecting; what you send now goes out as soon as it is back.',
    ownMessage: 'Your message',
    aiMessage: 'AI message',
    seconds: '{seconds} s',
    slow: 'This takes longer than usual. You can wait, or stop and try another model.',
    /** Also the message that a press of the button sends. */
    continue: 'Continue',
    olderFailed: 'Older messages could not be loaded',
    dismiss: 'Dismiss',
  },
  model: {
    current: 'Model: {name}',
    /** Beside or in place of the name of a model, where the built-in demo answers. */
    demo: 'Demo',
  },
  file: { image: 'Image', audio: 'Audio', openImage: 'Open {name}' },
} as const;

import { ADMIN_TEXTS, TEXTS } from '@tanya/contract';
import account from './areas/account';
import chat from './areas/chat';
import errors from './areas/errors';
import order from './areas/order';
import projects from './areas/projects';
import tools from './areas/tools';
import sharedChats from './areas/sharing';
import signIn from './areas/sign-in';
import voice from './areas/voice';

const { loggedOut, loggedOutHint, logoutFailed, ...auth } = TEXTS.auth;
const [messages, models, support, sharing] = TEXTS.upgrade.benefits;

/** Texts of lazy code outside of the admin and developer pages: conversations, dialogs, account. */
export default {
  auth,
  threads: TEXTS.threads,
  validation: TEXTS.validation,
  files: TEXTS.files,
  images: TEXTS.images,
  upgrade: {
    title: TEXTS.upgrade.title,
    text: TEXTS.upgrade.text,
    messages,
    moreMessages: 'More AI chat messages',
    models,
    support,
    sharing,
    /** `<admin>` is a link where the settings have a contact address, here and below. */
    contact: 'Contact <admin>the administrator</admin> to upgrade.',
  },
  apiKey: { copied: ADMIN_TEXTS.apiKey.copied },
  common: {
    cancel: 'Cancel',
    close: 'Close',
    /** F8 moves the focus there. */
    notices: 'Notifications (F8)',
    copy: 'Copy',
    delete: 'Delete',
    edit: 'Edit',
    retry: 'Retry',
    show: 'Show',
    hide: 'Hide',
    refresh: 'Refresh',
    copyRefused: 'The browser did not allow copying',
    done: 'Done',
    nameRequired: 'Please enter a name.',
    removeNamed: 'Remove {name}',
    editNamed: 'Edit {name}',
    deleteNamed: 'Delete {name}',
    wholeRange: 'A whole number from {min} to {max}',
    model: 'Model',
    name: 'Name',
  },
  apps: { students: 'AI for Students', pro: 'AI Pro', proHint: 'The full-featured app', newTab: 'opens in a new tab' },
  unsaved: {
    title: 'Unsaved changes',
    question: 'You have changed settings on this page and not saved them.',
    entries: 'What you entered here is not saved.',
    keep: 'Keep editing',
    stay: 'Stay',
    discard: 'Discard',
    save: 'Save',
  },
  ideas: {
    keys: 'The arrow keys move between the ideas and their buttons.',
    another: 'More: replace “{idea}”',
    others: 'More: other ideas instead of these',
  },
  shortcuts: {
    'new-chat': 'New chat',
    'focus-composer': 'Write a message',
    search: 'Search chats and run commands',
    find: 'Find in this chat',
    stop: 'Stop the answer',
    'toggle-sidebar': 'Show or hide the sidebar',
    shortcuts: 'Show these shortcuts',
    title: 'Keyboard shortcuts',
  },
  threadList: {
    failed: 'Your chats could not be loaded.',
    today: 'Today',
    yesterday: 'Yesterday',
    week: 'Previous 7 days',
    older: 'Older',
    options: 'Options for {title}',
    writing: 'Still writing',
    waiting: 'Waiting for your approval',
    unread: 'Unread',
    menu: 'Menu',
    rename: 'Rename',
    renameTitle: 'Rename chat',
    title: 'Title',
    deleteTitle: 'Delete chat',
    deleteQuestion: '“{title}” and all of its messages will be deleted. You can undo this for 10 seconds.',
  },
  exhausted: {
    guest: 'You have used all of your messages. Register, log in or upgrade to go on.',
    guestAccount: 'You have used all of your messages. Register or log in to go on.',
    account:
      'A free account has {messages} messages {period, select, daily {a day} monthly {a month} other {in all}} and keeps your chats.',
    free: 'You have used all of your messages. Upgrade to go on.',
    premium: 'You have used all of your messages. Please contact <admin>the administrator</admin>.',
    admin: 'You have used all of your messages. Raise the limit to go on.',
    renewed: 'Your quota is renewed on {time}.',
    notRenewed: 'The quota is not renewed.',
    // The quoted title, with the reason where some messages are left.
    image: `${TEXTS.images.quotaTitle}: an image costs {cost} messages. You have {left} left.`,
    imageGuest: 'Register for free to get more messages, or upgrade.',
    imageAccount: 'Register for free to get more messages.',
    imageFree: 'Upgrade to get more messages.',
    imageAdmin: 'Raise the limit to go on.',
    imagePremium: 'Please contact <admin>the administrator</admin>.',
    imageAll: 'Upgrade ke VIP untuk mendapatkan kuota tambahan dan membuat gambar AI lagi.',
  },
  imageDialog: {
    description: 'Image description',
    cost: 'One image uses {cost} messages of your quota.',
    creating: 'Creating...',
  },
  ...account,
  ...chat,
  ...errors,
  ...order,
  ...projects,
  ...tools,
  ...sharedChats,
  ...signIn,
  ...voice,
} as const;

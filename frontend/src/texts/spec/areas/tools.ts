/** The menu of tools, and the names of the built-in ones. */
export default {
  tools: {
    label: 'Tools',
    labelOn: '{count, plural, one {# tool is on} other {# tools are on}}',
    asks: 'Asks first',
    builtIn: 'Built-in tools',
    all: 'All {count} tools',
    tooMany: 'At most {max} tools can be on. Switch some off first.',
    notSaved: 'The choice of tools was not saved',
    web_search: 'Web search',
    web_search_hint: 'Finds current pages and cites them',
    read_page: 'Read page',
    read_page_hint: 'Reads the text of a page or a PDF',
    current_time: 'Current time',
    current_time_hint: 'Date and time in any time zone',
    calculate: 'Calculator',
    calculate_hint: 'Computes exactly, with units',
    create_image: 'Create image',
    create_image_hint: 'Draws an image at the price of the image dialog',
  },
} as const;

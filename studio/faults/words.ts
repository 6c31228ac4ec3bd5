/** The Studio's own words where they say too little, by the names that it has for them. */
export const ownWords = [
  { locale: 'en-US', namespace: 'validation', resources: { 'generic.required': 'This is needed.' } },
  {
    locale: 'en-US',
    namespace: 'structure',
    resources: {
      'action.publish.validation-issues.tooltip':
        'Something has to be put right first: the red mark above the words lists each place.',
    },
  },
]
